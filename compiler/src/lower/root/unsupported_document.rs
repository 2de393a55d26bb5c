use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Spanned,
};

code!("H0802", unsupported_document);

/// A document other than a workflow where a workflow is started.
pub(crate) struct UnsupportedDocument {
    pub(crate) name: Spanned<String>,
    pub(crate) language: &'static str,
}

message!(UnsupportedDocument, |name, language| {
    Diagnostic::new(
        &CODE,
        name.span,
        format!("expected a workflow, found a {language}"),
    )
    .label(name.span, "only a `workflow-app` can be run here")
});
