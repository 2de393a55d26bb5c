//! Oozie's walk for E0743: a node that two branches reach without an error transition on the way.
//!
//! It is `LiteWorkflowValidator.validateForkJoin` reduced to that question, and keeps its characteristics: a node is visited
//! once, in the state of its first visit, and two incoming transitions are accepted where one decision, the first on the
//! path, chooses between them.

use crate::{
    analysis::{
        fork_join::Pairing,
        graph::{Edge, Graph},
    },
    model::{NodeId, NodeKind, WorkflowApp},
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
    /// No error transition is on the path.
    is_ok: bool,
}

/// Every node that two branches reach, once, in the order of the walk.
pub(super) fn convergences(
    app: &WorkflowApp,
    graph: &Graph,
    pairing: &Pairing,
) -> Vec<Convergence> {
    let mut found = Vec::new();
    let mut first_ok: Vec<Option<EdgeArrival>> = vec![None; graph.n_nodes()];
    let mut is_reported = vec![false; graph.n_nodes()];
    let mut is_visited = vec![false; graph.n_nodes()];
    let mut stack: Vec<EdgeArrival> = Vec::new();
    if let Some(start) = graph.start() {
        stack.extend(graph.edges_from(start).iter().map(|&edge| EdgeArrival {
            edge,
            decision: None,
            is_ok: true,
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
        if arrival.is_ok {
            match first_ok[node.index()] {
                None => first_ok[node.index()] = Some(arrival),
                Some(first) => {
                    let is_chosen =
                        arrival.decision.is_some() && arrival.decision == first.decision;
                    if !is_chosen && !is_reported[node.index()] {
                        is_reported[node.index()] = true;
                        found.push(Convergence {
                            first: first.edge,
                            second: arrival.edge,
                        });
                    }
                }
            }
        }
        if std::mem::replace(&mut is_visited[node.index()], true) {
            continue;
        }
        // A stack: what is pushed last is visited first, so that the successor of the join is visited after the branches.
        let follow = |edge: Edge, decision, is_ok| EdgeArrival {
            edge,
            decision,
            is_ok,
        };
        match kind {
            NodeKind::Fork(_) => {
                if let Some(join) = pairing.join_of(node) {
                    stack.extend(
                        graph
                            .edges_from(join)
                            .iter()
                            .map(|&edge| follow(edge, arrival.decision, arrival.is_ok)),
                    );
                }
                let branches = graph.edges_from(node).iter().rev();
                stack.extend(branches.map(|&edge| follow(edge, arrival.decision, arrival.is_ok)));
            }
            NodeKind::Decision(_) => {
                let decision = arrival.decision.or(Some(node));
                let cases = graph.edges_from(node).iter().rev();
                stack.extend(cases.map(|&edge| follow(edge, decision, arrival.is_ok)));
            }
            NodeKind::Action(_) | NodeKind::Start(_) => {
                let ways = graph.edges_from(node).iter().rev();
                stack.extend(ways.map(|&edge| {
                    let is_ok = arrival.is_ok && edge.kind != crate::model::TransitionKind::Error;
                    follow(edge, arrival.decision, is_ok)
                }));
            }
            NodeKind::Join(_) | NodeKind::End(_) | NodeKind::Kill(_) => {}
        }
    }
    found
}
