use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, shared_branch_nodes, ["E0709"]);

/// Two branches of a fork can reach a node before their join.
pub(crate) struct SharedBranchNode {
    pub(crate) node: String,
    pub(crate) fork: String,
    pub(crate) fork_place: Span,
    pub(crate) first: Span,
    pub(crate) second: Span,
}

message!(SharedBranchNode, |node, fork, fork_place, first, second| {
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
});
