//! Which nodes are reachable from `start`; the others never run, which is reported.
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
/// Silent if a transition has been omitted, or leads back: what it should have reached is unknown.
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
            // A node all of whose predecessors are unreachable is a consequence, and reported as such.
            predecessor: graph
                .edges_to(node.id)
                .next()
                .map(|edge| app.node(edge.from).name.value.clone()),
        });
    }
}
