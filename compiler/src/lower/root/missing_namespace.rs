use crate::{
    diagnostics::{Applicability, Code, Diagnostic, IntoDiagnostic, Level},
    lower::schema::Vocabulary,
    source::{Span, Spanned},
};

pub(crate) static CODE: Code = Code {
    id: "H0203",
    name: "missing_namespace",
    level: Level::Error,
    oozie: &["E0701"],
    explanation: include_str!("missing_namespace.md"),
};

/// The root is in no namespace, so its schema version is not known.
pub(crate) struct MissingNamespace {
    pub(crate) name: Spanned<String>,
    pub(crate) insertion: Span,
    pub(crate) language: &'static Vocabulary,
}

impl IntoDiagnostic for MissingNamespace {
    fn into_diagnostic(self) -> Diagnostic {
        let MissingNamespace {
            name,
            insertion,
            language,
        } = self;
        Diagnostic::new(
            &CODE,
            name.span,
            format!("the `{}` element has no namespace", name.value),
        )
        .label(name.span, "needs `xmlns`, which says the schema's version")
        .suggest(
            insertion,
            "it can be inserted here",
            format!(" xmlns=\"{}{}\"", language.prefix, language.newest()),
            Applicability::MaybeIncorrect,
        )
    }
}
