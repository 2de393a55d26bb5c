use super::Named;
use crate::diagnostics::{Code, Diagnostic, IntoDiagnostic, Level};

pub(super) static CODE: Code = Code {
    id: "H0305",
    name: "fork_without_join",
    level: Level::Error,
    oozie: &["E0733", "E0730"],
    explanation: include_str!("fork_without_join.md"),
};

/// No branch of a fork reaches a join.
pub(super) struct ForkWithoutJoin {
    pub(super) fork: Named,
}

impl IntoDiagnostic for ForkWithoutJoin {
    fn into_diagnostic(self) -> Diagnostic {
        let ForkWithoutJoin { fork } = self;
        Diagnostic::new(
            &CODE,
            fork.span,
            format!("fork `{}` has no join", fork.name),
        )
        .label(fork.span, "every branch of this fork ends at a `kill`")
        .help("let at least one branch lead to a `join` of this fork")
    }
}
