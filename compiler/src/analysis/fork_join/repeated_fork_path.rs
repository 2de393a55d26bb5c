use super::Named;
use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(super) static CODE: Code = Code {
    id: "H0310",
    name: "repeated_fork_path",
    level: Level::Error,
    oozie: &["E0744"],
    explanation: include_str!("repeated_fork_path.md"),
};

/// A fork starts the same node twice.
pub(super) struct RepeatedForkPath {
    pub(super) fork: Named,
    pub(super) target: String,
    pub(super) first: Span,
    pub(super) second: Span,
}

impl IntoDiagnostic for RepeatedForkPath {
    fn into_diagnostic(self) -> Diagnostic {
        let RepeatedForkPath {
            fork,
            target,
            first,
            second,
        } = self;
        Diagnostic::new(
            &CODE,
            second,
            format!("fork `{}` starts `{target}` more than once", fork.name),
        )
        .label(second, "started again here")
        .label(first, "first started here")
        .label(fork.span, "in this fork")
    }
}
