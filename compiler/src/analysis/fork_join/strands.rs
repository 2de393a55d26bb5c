//! Data flow of strands: in which forks each node may run, and at which join each fork closes.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use crate::{
    analysis::{
        fork_join::Pairing,
        graph::{Edge, Graph},
    },
    model::{NodeId, NodeKind, WorkflowApp},
    source::Span,
};

/// The innermost fork that a strand of execution is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Strand {
    /// In no fork.
    Outside,
    /// After a join that has been reported: any further diagnostic would only repeat that one.
    Unknown,
    Within(NodeId),
}

/// Sorted, without duplicates. Shared along chains of nodes, so that a long chain costs no memory.
type StrandSet = Rc<Vec<Strand>>;

/// A fault of the pairing.
#[derive(Clone, Debug)]
pub(super) enum StrandFault {
    /// Every strand of the fork ends at a kill node.
    NoJoin {
        fork: NodeId,
    },
    SeveralJoins {
        fork: NodeId,
        joins: Vec<NodeId>,
    },
    /// The join can be reached outside of any fork.
    NoFork {
        join: NodeId,
    },
    SeveralForks {
        join: NodeId,
        forks: Vec<NodeId>,
    },
    /// These edges lead to an `end` while each of the forks may be open.
    EndInside {
        forks: Vec<NodeId>,
        first: Edge,
        others: Vec<Edge>,
    },
}

impl StrandFault {
    /// The forks involved.
    pub(super) fn forks(&self) -> &[NodeId] {
        match self {
            StrandFault::NoJoin { fork } | StrandFault::SeveralJoins { fork, .. } => {
                std::slice::from_ref(fork)
            }
            StrandFault::NoFork { .. } => &[],
            StrandFault::SeveralForks { forks, .. } | StrandFault::EndInside { forks, .. } => forks,
        }
    }
}

#[derive(Debug)]
pub(super) struct Strands {
    pub(super) pairing: Pairing,
    /// In the order of the walk, faults of joins before those of forks.
    pub(super) faults: Vec<StrandFault>,
    /// By node; `None` for nodes that are not reached.
    at: Vec<Option<StrandSet>>,
    /// The strands that leave a join, where they differ from those that enter it.
    after: BTreeMap<NodeId, StrandSet>,
    is_fork: Vec<bool>,
}

impl Strands {
    /// The innermost forks in which `node` may be reached.
    pub(super) fn forks_at(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        self.at[node.index()]
            .iter()
            .flat_map(|set| set.iter())
            .filter_map(|strand| match strand {
                Strand::Within(fork) => Some(*fork),
                Strand::Outside | Strand::Unknown => None,
            })
    }

    /// Whether `edge` may be followed outside of any fork.
    pub(super) fn is_outside_along(&self, edge: &Edge) -> bool {
        self.along(edge)
            .is_some_and(|set| set.contains(&Strand::Outside))
    }

    /// The strands that may follow `edge`; `None` if its source is not reached.
    fn along(&self, edge: &Edge) -> Option<StrandSet> {
        let at = self.at[edge.from.index()].as_ref()?;
        if self.is_fork[edge.from.index()] {
            Some(Rc::new(vec![Strand::Within(edge.from)]))
        } else {
            Some(self.after.get(&edge.from).unwrap_or(at).clone())
        }
    }
}

/// Propagates all strands through the reached nodes, which `order` lists in topological order.
pub(super) fn follow(app: &WorkflowApp, graph: &Graph, order: &[NodeId]) -> Strands {
    let mut strands = Strands {
        pairing: Pairing::default(),
        faults: Vec::new(),
        at: vec![None; graph.n_nodes()],
        after: BTreeMap::new(),
        is_fork: app
            .nodes
            .iter()
            .map(|node| matches!(node.kind, NodeKind::Fork(_)))
            .collect(),
    };
    let mut joins = Joins::default();
    let mut ends: BTreeMap<NodeId, Vec<Edge>> = BTreeMap::new();
    // Forks with a fault that a report of a missing join would only repeat.
    let mut excused: BTreeSet<NodeId> = BTreeSet::new();
    for &node in order {
        let set = entering(&strands, graph, node);
        strands.at[node.index()] = Some(set.clone());
        if graph.is_incomplete(node) {
            excused.extend(strands.forks_at(node));
        }
        match app.node(node).kind {
            NodeKind::Join(_) => close(&mut strands, &mut joins, node, &set, &mut excused),
            NodeKind::End(_) => {
                for edge in graph.edges_to(node) {
                    for strand in strands.along(edge).iter().flat_map(|set| set.iter()) {
                        if let Strand::Within(fork) = strand {
                            ends.entry(*fork).or_default().push(*edge);
                        }
                    }
                }
            }
            NodeKind::Start(_)
            | NodeKind::Kill(_)
            | NodeKind::Decision(_)
            | NodeKind::Fork(_)
            | NodeKind::Action(_) => {}
        }
    }
    for (fork, joins) in joins.of_fork {
        if let [join] = joins.as_slice() {
            strands.pairing.joins.insert(fork, *join);
        } else if !joins.is_empty() {
            strands
                .faults
                .push(StrandFault::SeveralJoins { fork, joins });
        }
    }
    excused.extend(ends.keys().copied());
    strands.faults.extend(ends_inside(ends));
    report_forks_without_join(&mut strands, order, excused);
    strands
}

/// Merges the faults of forks that are open at the same edges: a node that they share leads to the end.
fn ends_inside(ends: BTreeMap<NodeId, Vec<Edge>>) -> Vec<StrandFault> {
    let mut by_places: BTreeMap<Vec<Span>, (Vec<NodeId>, Vec<Edge>)> = BTreeMap::new();
    for (fork, arrivals) in ends {
        let places = arrivals.iter().map(|edge| edge.span).collect();
        let (forks, _) = by_places
            .entry(places)
            .or_insert_with(|| (Vec::new(), arrivals));
        forks.push(fork);
    }
    by_places
        .into_values()
        .filter_map(|(forks, arrivals)| {
            let (&first, others) = arrivals.split_first()?;
            Some(StrandFault::EndInside {
                forks,
                first,
                others: others.to_vec(),
            })
        })
        .collect()
}

/// The strands that enter `node`.
fn entering(strands: &Strands, graph: &Graph, node: NodeId) -> StrandSet {
    if graph.start() == Some(node) {
        return Rc::new(vec![Strand::Outside]);
    }
    let mut sets: Vec<StrandSet> = Vec::new();
    for edge in graph.edges_to(node) {
        if let Some(set) = strands.along(edge)
            && sets.last().is_none_or(|last| *last != set)
        {
            sets.push(set);
        }
    }
    match sets.len() {
        1 => sets.swap_remove(0),
        _ => {
            let mut all: Vec<Strand> = sets.iter().flat_map(|set| set.iter().copied()).collect();
            all.sort_unstable();
            all.dedup();
            Rc::new(all)
        }
    }
}

/// Joins by the fork that they close.
#[derive(Default)]
struct Joins {
    of_fork: BTreeMap<NodeId, Vec<NodeId>>,
}

/// Determines which fork `join` closes, and so in which forks its successor runs.
fn close(
    strands: &mut Strands,
    joins: &mut Joins,
    join: NodeId,
    set: &StrandSet,
    excused: &mut BTreeSet<NodeId>,
) {
    let forks: Vec<NodeId> = strands.forks_at(join).collect();
    let is_outside = set.contains(&Strand::Outside);
    let unknown = || Rc::new(vec![Strand::Unknown]);
    // A fork that another join closes already has sent a strand past that join: the fault is the fork's, and this join may
    // belong to one of the others.
    let (closed, open): (Vec<NodeId>, Vec<NodeId>) = forks
        .iter()
        .copied()
        .partition(|fork| joins.of_fork.contains_key(fork));
    for fork in closed {
        joins.of_fork.entry(fork).or_default().push(join);
        excused.insert(fork);
    }
    let after = match open.as_slice() {
        [] if forks.is_empty() && is_outside => Rc::new(vec![Strand::Outside]),
        [] => unknown(),
        [fork] => {
            joins.of_fork.insert(*fork, vec![join]);
            strands.at[fork.index()].clone().unwrap_or_else(unknown)
        }
        [..] => {
            excused.extend(open.iter().copied());
            strands
                .faults
                .push(StrandFault::SeveralForks { join, forks: open });
            unknown()
        }
    };
    if is_outside {
        strands.faults.push(StrandFault::NoFork { join });
    }
    strands.after.insert(join, after);
}

/// Reports forks that no join closes, innermost first: where one has been reported, the enclosing forks are excused.
fn report_forks_without_join(
    strands: &mut Strands,
    order: &[NodeId],
    mut excused: BTreeSet<NodeId>,
) {
    let has_join: BTreeSet<NodeId> = strands
        .pairing
        .joins
        .keys()
        .copied()
        .chain(strands.faults.iter().filter_map(|fault| match fault {
            StrandFault::SeveralJoins { fork, .. } => Some(*fork),
            StrandFault::NoJoin { .. }
            | StrandFault::NoFork { .. }
            | StrandFault::SeveralForks { .. }
            | StrandFault::EndInside { .. } => None,
        }))
        .collect();
    for &fork in order
        .iter()
        .rev()
        .filter(|node| strands.is_fork[node.index()])
    {
        let is_excused = excused.contains(&fork);
        let is_at_fault = !is_excused && !has_join.contains(&fork);
        if is_at_fault {
            strands.faults.push(StrandFault::NoJoin { fork });
        }
        if is_at_fault || is_excused {
            excused.extend(strands.forks_at(fork));
        }
    }
}
