use crate::{
    diagnostics::{Diagnostic, lint, message, step},
    source::Span,
};

lint!(Warn, shared_branch_nodes, ["E0743", "E0709"]);

/// Two branches of a fork can reach a node before their join.
pub(crate) struct SharedBranchNode {
    pub(crate) node: String,
    pub(crate) fork: String,
    pub(crate) fork_place: Span,
    pub(crate) first: SharingBranch,
    pub(crate) second: SharingBranch,
}

/// How a branch reaches the node.
pub(crate) struct SharingBranch {
    /// The last transition.
    pub(crate) place: Span,
    pub(crate) is_error: bool,
    /// The nodes behind the fork, each with whether an error leads to it; empty if it was not searched for.
    pub(crate) path: Vec<(String, bool)>,
}

impl SharingBranch {
    fn steps(&self, fork: &str) -> String {
        let path = self
            .path
            .iter()
            .map(|(node, is_error)| step(node, *is_error));
        let steps: Vec<String> = std::iter::once(step(fork, false)).chain(path).collect();
        steps.join(" -> ")
    }
}

message!(SharedBranchNode, |node, fork, fork_place, first, second| {
    let label = |branch: &SharingBranch, which: &str| match branch.is_error {
        true => format!("{which} branch leads to it here, when it fails"),
        false => format!("{which} branch leads to it here"),
    };
    let diagnostic = Diagnostic::new(
        &LINT,
        second.place,
        format!("two branches of fork `{fork}` can reach node `{node}`"),
    )
    .label(second.place, label(&second, "a second"))
    .label(first.place, label(&first, "a"))
    .label(fork_place, "branches of this fork");
    // Oozie does not look at errors when it checks forks.
    let has_error = [&first, &second]
        .into_iter()
        .any(|branch| branch.is_error || branch.path.iter().any(|(_, is_error)| *is_error));
    let has_paths = !first.path.is_empty();
    let diagnostic = match has_paths {
        true => diagnostic
            .note(format!("one way: {}", first.steps(&fork)))
            .note(format!("the other: {}", second.steps(&fork))),
        false => diagnostic,
    };
    let diagnostic = diagnostic
        .note("the node runs once, when the first branch arrives; the second branch ends there")
        .note(match has_error {
            true => "in Oozie, the job fails with E0709 when the second branch arrives",
            false => {
                "Oozie refuses the workflow with E0743, or the job fails with E0709 when the second branch arrives"
            }
        });
    match has_error {
        true => diagnostic
            .help("give each branch a node of its own for its errors, or let them end at a `kill`"),
        false => diagnostic,
    }
});
