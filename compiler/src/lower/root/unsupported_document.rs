use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Spanned,
};

pub(crate) static CODE: Code = Code {
    id: "H0802",
    name: "unsupported_document",
    level: Level::Error,
    oozie: &[],
    explanation: include_str!("unsupported_document.md"),
};

/// A document that is no workflow stands where one is started.
pub(crate) struct UnsupportedDocument {
    pub(crate) name: Spanned<String>,
    pub(crate) language: &'static str,
}

impl IntoDiagnostic for UnsupportedDocument {
    fn into_diagnostic(self) -> Diagnostic {
        let UnsupportedDocument { name, language } = self;
        Diagnostic::new(
            &CODE,
            name.span,
            format!("expected a workflow, found a {language}"),
        )
        .label(name.span, "only a `workflow-app` can be run here")
    }
}
