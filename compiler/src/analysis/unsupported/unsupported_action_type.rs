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
}

impl IntoDiagnostic for UnsupportedActionType {
    fn into_diagnostic(self) -> Diagnostic {
        let UnsupportedActionType {
            kind,
            place,
            dialect,
        } = self;
        let diagnostic = Diagnostic::new(
            &CODE,
            place,
            format!("the `{kind}` action is not supported yet"),
        )
        .label(place, "valid, but the compiler cannot build it");
        match dialect {
            Dialect::Proposal => {
                diagnostic
                    .note("supported are `email`, `hadoop`, `hdfs`, `http`, `pig`, `ssh` and `sub-workflow`")
            }
            Dialect::Oozie => diagnostic.note(
                "supported are `distcp`, `email`, `fs`, `git`, `http`, `java`, `map-reduce`, `shell`, `ssh`, and `sub-workflow`",
            ),
        }
    }
}
