use crate::{
    diagnostics::{Applicability, Code, Diagnostic, IntoDiagnostic, Level, nearest},
    lower::{check::listed, schema::Vocabulary},
    source::Spanned,
};

pub(crate) static CODE: Code = Code {
    id: "H0202",
    name: "unknown_namespace",
    level: Level::Error,
    oozie: &["E0701"],
    explanation: include_str!("unknown_namespace.md"),
};

/// The root is in a namespace that no version of its schema has.
pub(crate) struct UnknownNamespace {
    /// At the value of the declaration.
    pub(crate) namespace: Spanned<String>,
    pub(crate) language: &'static Vocabulary,
}

impl IntoDiagnostic for UnknownNamespace {
    fn into_diagnostic(self) -> Diagnostic {
        let UnknownNamespace {
            namespace,
            language,
        } = self;
        let kind = language.kind();
        let known = language.namespaces();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let diagnostic = Diagnostic::new(
            &CODE,
            namespace.span,
            format!("unknown namespace `{}`", namespace.value),
        )
        .label(namespace.span, format!("not a {kind} schema"))
        .note(format!("the namespaces of {kind}s are {}", listed(&known)));
        // Versions differ by a digit, so all are similar; the newest takes what any of them does.
        let suggestion = if namespace.value.starts_with(language.prefix) {
            known
                .last()
                .map(|newest| ("the newest version is", *newest))
        } else {
            nearest(&namespace.value, known)
                .map(|similar| ("there is a similar namespace", similar))
        };
        match suggestion {
            Some((message, replacement)) => diagnostic.suggest(
                namespace.span,
                message,
                replacement,
                Applicability::MaybeIncorrect,
            ),
            None => diagnostic,
        }
    }
}
