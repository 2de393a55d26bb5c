use crate::{
    diagnostics::{Applicability, Code, Diagnostic, IntoDiagnostic, Level},
    model::WorkflowVersion,
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
}

impl IntoDiagnostic for MissingNamespace {
    fn into_diagnostic(self) -> Diagnostic {
        let MissingNamespace { name, insertion } = self;
        Diagnostic::new(
            &CODE,
            name.span,
            format!("the `{}` element has no namespace", name.value),
        )
        .label(name.span, "needs `xmlns`, which says the schema's version")
        .suggest(
            insertion,
            "it can be inserted here",
            format!(" xmlns=\"{}\"", WorkflowVersion::V1_0.namespace()),
            Applicability::MaybeIncorrect,
        )
    }
}
