use hpdlc_core::el::functions::Dialect;

use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(super) static CODE: Code = Code {
    id: "H0801",
    name: "unsupported_action_type",
    level: Level::Error,
    oozie: &[],
    explanation: include_str!("unsupported_action_type.md"),
};

/// An action of a type that Oozie's schemas know and the compiler does not build yet.
pub(super) struct UnsupportedActionType {
    pub(super) kind: String,
    /// The name in the body's start tag.
    pub(super) place: Span,
    pub(super) dialect: Dialect,
    /// Oozie itself refuses it at submission.
    pub(super) is_without_executor: bool,
}

impl IntoDiagnostic for UnsupportedActionType {
    fn into_diagnostic(self) -> Diagnostic {
        let UnsupportedActionType {
            kind,
            place,
            dialect,
            is_without_executor,
        } = self;
        let diagnostic = Diagnostic::new(
            &CODE,
            place,
            format!("the `{kind}` action is not supported yet"),
        )
        .label(place, "valid, but the compiler cannot build it");
        match dialect {
            Dialect::Proposal => diagnostic.note("supported are `hdfs` and `sub-workflow`"),
            Dialect::Oozie if is_without_executor => {
                diagnostic.note("Oozie has no executor for it either, and refuses it with E0723")
            }
            Dialect::Oozie => {
                diagnostic.note("supported are `fs`, `java`, `shell`, and `sub-workflow`")
            }
        }
    }
}
