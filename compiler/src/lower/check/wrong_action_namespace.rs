use crate::{
    diagnostics::{Applicability, Diagnostic, code, message},
    lower::{
        check::{namespace_of, unknown_element::listed},
        schema::Vocabulary,
    },
    source::{Span, Spanned},
    syntax::xml::Element,
};

code!("H0212", wrong_action_namespace, ["E0701"]);

/// An action body of a known type without a namespace, or in the wrong one.
pub(crate) struct WrongActionNamespace {
    name: Spanned<String>,
    found: String,
    known: Vec<String>,
    /// The declaration to change, or the position for a new one.
    correction: Correction,
}

enum Correction {
    Replace(Span),
    Insert(Span),
    /// The prefix is declared elsewhere.
    None,
}

impl WrongActionNamespace {
    pub(crate) fn new(element: &Element<'_>, extension: &Vocabulary) -> WrongActionNamespace {
        let own = element
            .declarations()
            .find(|declaration| match element.name.prefix() {
                Some(prefix) => {
                    declaration.name.local == prefix && declaration.name.prefix().is_some()
                }
                None => declaration.name.prefix().is_none(),
            });
        WrongActionNamespace {
            name: Spanned::new(element.name.qualified(), element.name_span),
            found: namespace_of(element).to_owned(),
            known: extension.namespaces(),
            correction: match (own, element.name.prefix()) {
                (Some(declaration), _) => Correction::Replace(declaration.value_span),
                (None, None) => Correction::Insert(element.attribute_insertion()),
                (None, Some(_)) => Correction::None,
            },
        }
    }
}

message!(WrongActionNamespace, |name, found, known, correction| {
    let names: Vec<&str> = known.iter().map(String::as_str).collect();
    // Other actions of the document, and its cluster, may not have the newest version.
    let version = found.rsplit_once(':').map(|(_, version)| version);
    let same = version.and_then(|version| {
        let mut known = known.iter();
        known.find(|it| it.rsplit_once(':').is_some_and(|(_, it)| it == version))
    });
    let (which, meant) = match same {
        Some(same) => ("that of this version is", same.as_str()),
        None => (
            "the newest one is",
            known.last().map(String::as_str).unwrap_or_default(),
        ),
    };
    let label = match found.as_str() {
        "" => "has no namespace".to_owned(),
        found => format!("is in `{found}`"),
    };
    let diagnostic = Diagnostic::new(
        &CODE,
        name.span,
        format!("the `{}` action needs its own namespace", name.value),
    )
    .label(name.span, label)
    .note(format!("its namespaces are {}", listed(&names)));
    match correction {
        Correction::Replace(span) => {
            diagnostic.suggest(span, which, meant, Applicability::MaybeIncorrect)
        }
        Correction::Insert(span) => diagnostic.suggest(
            span,
            which,
            format!(" xmlns=\"{meant}\""),
            Applicability::MaybeIncorrect,
        ),
        Correction::None => diagnostic,
    }
});
