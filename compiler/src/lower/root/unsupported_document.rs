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

/// A document that is no workflow, and that the compiler does not build yet.
pub(crate) struct UnsupportedDocument {
    pub(crate) name: Spanned<String>,
    pub(crate) language: &'static str,
}

/// What kind of document it is, by its root element; `None` for workflows and the unknown.
pub(crate) fn language(local: &str, namespace: &str) -> Option<&'static str> {
    match local {
        "coordinator-app" => Some("coordinators"),
        "bundle-app" => Some("bundles"),
        _ if namespace.starts_with("uri:oozie:coordinator:") => Some("coordinators"),
        _ if namespace.starts_with("uri:oozie:bundle:") => Some("bundles"),
        _ => None,
    }
}

impl IntoDiagnostic for UnsupportedDocument {
    fn into_diagnostic(self) -> Diagnostic {
        let UnsupportedDocument { name, language } = self;
        Diagnostic::new(
            &CODE,
            name.span,
            format!("{language} are not supported yet"),
        )
        .label(
            name.span,
            "the compiler builds `workflow-app` and `hadoop-workflow` documents",
        )
    }
}
