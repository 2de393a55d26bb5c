use crate::{
    diagnostics::{Applicability, Diagnostic, code, message},
    lower::check::namespace_of,
    source::{Span, Spanned},
    syntax::xml::{Element, escape_attribute},
};

code!("H0213", wrong_element_namespace, ["E0701"]);

/// An element with the right name in the wrong namespace.
pub(crate) struct WrongElementNamespace {
    pub(crate) name: Spanned<String>,
    /// Empty for none.
    pub(crate) found: String,
    /// Empty for none.
    pub(crate) expected: String,
    /// The value of the element's own `xmlns`.
    pub(crate) declaration: Option<Span>,
}

impl WrongElementNamespace {
    pub(crate) fn new(element: &Element<'_>, expected: &str) -> WrongElementNamespace {
        WrongElementNamespace {
            name: Spanned::new(element.name.qualified(), element.name_span),
            found: namespace_of(element).to_owned(),
            expected: expected.to_owned(),
            declaration: element
                .declarations()
                .find(|declaration| declaration.name.prefix().is_none())
                .filter(|_| element.name.prefix().is_none())
                .map(|declaration| declaration.value_span),
        }
    }
}

message!(
    WrongElementNamespace,
    |name, found, expected, declaration| {
        let shown = |namespace: &str| match namespace {
            "" => "no namespace".to_owned(),
            namespace => format!("`{namespace}`"),
        };
        let diagnostic = Diagnostic::new(
            &CODE,
            name.span,
            format!("the `{}` element is in the wrong namespace", name.value),
        )
        .label(
            name.span,
            format!("expected {}, found {}", shown(&expected), shown(&found)),
        );
        match declaration {
            Some(span) => diagnostic.suggest(
                span,
                "it belongs in",
                escape_attribute(&expected),
                Applicability::MaybeIncorrect,
            ),
            None => diagnostic.help_xml(match name.value.split_once(':') {
                Some((prefix, _)) => format!(
                    "the prefix means what the nearest `xmlns:{prefix}` around the element says"
                ),
                None => {
                    "an element without prefix is in the namespace of the nearest `xmlns` around it"
                        .to_owned()
                }
            }),
        }
    }
);
