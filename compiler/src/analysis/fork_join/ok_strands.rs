//! Nodes that two branches of a fork can both reach, without an error transition or with them, whether or not Oozie detects it.
//!
//! Unlike [`ok_paths`](super::ok_paths) this does not depend on the order of the document. It finds what Oozie overlooks: whatever
//! follows a decision, and error transitions.

use std::{collections::BTreeMap, rc::Rc};

use crate::{
    analysis::{
        fork_join::Pairing,
        graph::{Edge, Graph},
    },
    model::{NodeId, NodeKind, TransitionKind, WorkflowApp},
};

/// A branch of a fork.
type Branch = (NodeId, TransitionKind);

/// The transitions that are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ways {
    /// Without those of errors.
    Ok,
    All,
}

/// A node where two branches of one fork converge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    pub(super) fork: NodeId,
    pub(super) first: Edge,
    pub(super) second: Edge,
}

/// The nodes where branches converge before their join, each once. `pairing` must be free of faults.
pub(super) fn meetings(
    app: &WorkflowApp,
    graph: &Graph,
    order: &[NodeId],
    pairing: &Pairing,
    wanted: Ways,
) -> Vec<Meeting> {
    let fork_of: BTreeMap<NodeId, NodeId> =
        pairing.iter().map(|(fork, join)| (join, fork)).collect();
    let mut at: Vec<Option<Rc<Vec<Branch>>>> = vec![None; graph.n_nodes()];
    let mut found = Vec::new();
    for &node in order {
        let mut ways: Vec<(Edge, Rc<Vec<Branch>>)> = Vec::new();
        for &edge in graph.edges_to(node) {
            if wanted == Ways::Ok && edge.kind == TransitionKind::Error {
                continue;
            }
            let Some(before) = at[edge.from.index()].clone() else {
                continue;
            };
            let set = match &app.node(edge.from).kind {
                // Inside of a branch of an outer fork, it belongs to that one as well.
                NodeKind::Fork(_) => {
                    let mut branches = before.to_vec();
                    let own = (edge.from, edge.kind);
                    if let Err(place) = branches.binary_search(&own) {
                        branches.insert(place, own);
                    }
                    Rc::new(branches)
                }
                // After the join, the strands are those before the fork.
                NodeKind::Join(_) => match fork_of.get(&edge.from) {
                    Some(fork) => at[fork.index()].clone().unwrap_or(before),
                    None => before,
                },
                NodeKind::Start(_)
                | NodeKind::End(_)
                | NodeKind::Kill(_)
                | NodeKind::Decision(_)
                | NodeKind::Action(_) => before,
            };
            ways.push((edge, set));
        }
        let is_start = graph.start() == Some(node);
        if ways.is_empty() && !is_start {
            continue;
        }
        let is_last = matches!(
            app.node(node).kind,
            NodeKind::Join(_) | NodeKind::End(_) | NodeKind::Kill(_)
        );
        if !is_last {
            found.extend(meeting(&ways));
        }
        at[node.index()] = Some(union(&ways));
    }
    found
}

/// A way from a fork along one of its branches whose last step is `last`; a shortest one.
pub(super) fn path(graph: &Graph, fork: NodeId, last: &Edge) -> Vec<Edge> {
    let mut steps = graph.shortest_way(fork, last.from).unwrap_or_default();
    steps.push(*last);
    steps
}

/// Two incoming edges that belong to different branches of one fork, unless one of them belongs to both, which is reported
/// where they converged.
fn meeting(ways: &[(Edge, Rc<Vec<Branch>>)]) -> Option<Meeting> {
    let mut first_of: BTreeMap<NodeId, (TransitionKind, Edge)> = BTreeMap::new();
    let mut found = None;
    for (edge, set) in ways {
        let is_mixed = set
            .windows(2)
            .any(|branches| branches[0].0 == branches[1].0);
        if is_mixed {
            return None;
        }
        for &(fork, branch) in set.iter() {
            let (first_branch, first) = *first_of.entry(fork).or_insert((branch, *edge));
            if first_branch != branch && found.is_none() {
                found = Some(Meeting {
                    fork,
                    first,
                    second: *edge,
                });
            }
        }
    }
    found
}

/// Sorted, so that branches of one fork are adjacent.
fn union(ways: &[(Edge, Rc<Vec<Branch>>)]) -> Rc<Vec<Branch>> {
    if let [(_, only)] = ways {
        return only.clone();
    }
    let mut all: Vec<Branch> = ways
        .iter()
        .flat_map(|(_, set)| set.iter().copied())
        .collect();
    all.sort_unstable();
    all.dedup();
    Rc::new(all)
}
