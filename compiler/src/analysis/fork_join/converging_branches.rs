use super::NamedSpan;
use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!(
    "H0311",
    converging_branches,
    ["E0743", "E0730", "E0737", "E0757", "E0758"]
);

/// Two branches that run at the same time lead to one node that is not their join.
pub(super) struct ConvergingBranches {
    pub(super) node: NamedSpan,
    pub(super) first: Span,
    pub(super) second: Span,
    /// The fork of the branches.
    pub(super) fork: Option<NamedSpan>,
}

message!(ConvergingBranches, |node, first, second, fork| {
    let diagnostic = Diagnostic::new(
        &CODE,
        second,
        format!("node `{}` is reached by more than one branch", node.name),
    )
    .label(second, "a second branch leads to it here")
    .label(first, "a branch leads to it here")
    .label(node.span, "this node would run twice");
    match fork {
        Some(fork) => diagnostic.label(fork.span, "branches of this fork"),
        None => diagnostic,
    }
    .help_xml("let the branches meet at a `join` first")
});
