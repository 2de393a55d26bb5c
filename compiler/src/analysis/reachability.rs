//! Which nodes `start` can reach; the others never run, and the user should know.
//!
//! Oozie ignores unreachable nodes altogether, so this is a lint.

use crate::{
    analysis::{cycles::Reach, graph::Graph, transitions::NodeIndex},
    diagnostics::Sink,
    lints::unreachable_nodes::UnreachableNode,
    model::{NodeKind, WorkflowApp},
};

/// Reports nodes that no path from `start` leads to.
///
/// Silent where a transition has been left out, or leads back: what that one should have reached is not known.
pub(crate) fn check(
    app: &WorkflowApp,
    graph: &Graph,
    index: &NodeIndex<'_>,
    reach: &Reach,
    sink: &mut Sink,
) {
    if graph.start().is_none() || graph.has_gaps() || reach.order.is_none() {
        return;
    }
    for node in &app.nodes {
        let is_duplicate = index.get(&node.name.value) != Some(node.id);
        if reach.is_reached[node.id.index()]
            || is_duplicate
            || matches!(node.kind, NodeKind::Start(_))
        {
            continue;
        }
        sink.emit(UnreachableNode {
            name: node.name.value.clone(),
            place: node.name.span,
            // A node whose only predecessors are unreachable too is a consequence, and says so.
            predecessor: graph
                .edges_to(node.id)
                .next()
                .map(|edge| app.node(edge.from).name.value.clone()),
        });
    }
}
