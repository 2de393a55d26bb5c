//! Oozie's walk for E0743: a node that two branches reach without an error transition on the way.
//!
//! It is `LiteWorkflowValidator.validateForkJoin` of Oozie 5.2.1 reduced to that question: it follows every path without error
//! transitions, and accepts two that lead to one node where one decision, the first on both, chooses between them. Paths that come
//! to a node by the same first decision go on alike, and are followed once.

use crate::{
    analysis::{
        fork_join::Pairing,
        graph::{Edge, Graph},
    },
    model::{NodeId, NodeKind, TransitionKind, WorkflowApp},
};

/// Two transitions by which a node may run twice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Convergence {
    pub(super) first: Edge,
    pub(super) second: Edge,
}

/// One step of the walk: a transition to a node.
#[derive(Clone, Copy)]
struct EdgeArrival {
    edge: Edge,
    /// The first decision on the path.
    decision: Option<NodeId>,
}

/// Every node that two branches reach, once, in the order of the walk.
pub(super) fn convergences(
    app: &WorkflowApp,
    graph: &Graph,
    pairing: &Pairing,
) -> Vec<Convergence> {
    let mut found = Vec::new();
    let mut first_arrivals: Vec<Option<EdgeArrival>> = vec![None; graph.n_nodes()];
    let mut is_reported = vec![false; graph.n_nodes()];
    // The first decisions by which a node was visited: few, since what follows a decision has no other one.
    let mut visits: Vec<Vec<Option<NodeId>>> = vec![Vec::new(); graph.n_nodes()];
    let mut stack: Vec<EdgeArrival> = Vec::new();
    if let Some(start) = graph.start() {
        stack.extend(graph.edges_from(start).iter().map(|&edge| EdgeArrival {
            edge,
            decision: None,
        }));
    }
    while let Some(arrival) = stack.pop() {
        let node = arrival.edge.to;
        let kind = &app.node(node).kind;
        if matches!(
            kind,
            NodeKind::Join(_) | NodeKind::End(_) | NodeKind::Kill(_)
        ) {
            continue;
        }
        match first_arrivals[node.index()] {
            None => first_arrivals[node.index()] = Some(arrival),
            Some(first) => {
                let is_chosen = arrival.decision.is_some() && arrival.decision == first.decision;
                if !is_chosen && !is_reported[node.index()] {
                    is_reported[node.index()] = true;
                    found.push(Convergence {
                        first: first.edge,
                        second: arrival.edge,
                    });
                }
            }
        }
        let visits = &mut visits[node.index()];
        if visits.contains(&arrival.decision) {
            continue;
        }
        visits.push(arrival.decision);
        // A stack: what is pushed last is visited first, so that the successor of the join is visited after the branches.
        let follow = |edge: Edge, decision| EdgeArrival { edge, decision };
        let ways = graph.edges_from(node).iter().rev();
        match kind {
            NodeKind::Fork(_) => {
                if let Some(join) = pairing.join_of(node) {
                    let behind = graph.edges_from(join).iter();
                    stack.extend(behind.map(|&edge| follow(edge, arrival.decision)));
                }
                stack.extend(ways.map(|&edge| follow(edge, arrival.decision)));
            }
            NodeKind::Decision(_) => {
                let decision = arrival.decision.or(Some(node));
                stack.extend(ways.map(|&edge| follow(edge, decision)));
            }
            NodeKind::Action(_) | NodeKind::Start(_) => {
                let ways = ways.filter(|edge| edge.kind != TransitionKind::Error);
                stack.extend(ways.map(|&edge| follow(edge, arrival.decision)));
            }
            NodeKind::Join(_) | NodeKind::End(_) | NodeKind::Kill(_) => {}
        }
    }
    found
}
