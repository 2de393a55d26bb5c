use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "shared_branch_nodes",
    default_level: LintLevel::Warn,
    oozie: &["E0709"],
    explanation: include_str!("shared_branch_nodes.md"),
};

/// Two branches of a fork can reach a node before their join.
pub(crate) struct SharedBranchNode {
    pub(crate) node: String,
    pub(crate) fork: String,
    pub(crate) fork_place: Span,
    pub(crate) first: Span,
    pub(crate) second: Span,
}

impl IntoDiagnostic for SharedBranchNode {
    fn into_diagnostic(self) -> Diagnostic {
        let SharedBranchNode {
            node,
            fork,
            fork_place,
            first,
            second,
        } = self;
        Diagnostic::new(
            &LINT,
            second,
            format!("two branches of fork `{fork}` can reach node `{node}`"),
        )
        .label(second, "a second branch leads to it here")
        .label(first, "a branch leads to it here")
        .label(fork_place, "branches of this fork")
        .note("the node runs once, when the first branch arrives; the second branch ends there")
        .note("in Oozie, the job fails with E0709 when the second branch arrives")
    }
}
