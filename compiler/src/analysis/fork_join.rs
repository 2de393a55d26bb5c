//! Pairing of forks and joins: every fork has one join, every join one fork, and branches stay between the two.
//!
//! The results are those of Oozie's `LiteWorkflowValidator`, with the specific code where Oozie only counts (E0730), and
//! independent of the order of the document: Oozie visits each node once, in the fork by which it is reached first.
//! The parts are
//!
//! - [`strands`]: in which forks each node may run, propagated once along the topological order. From it follow the pairing
//!   and all of its faults.
//! - [`ok_paths`]: Oozie's own walk for E0743, two branches that run one node by `ok`. It walks as Oozie does, because what
//!   Oozie accepts must run here: a node that a second strand reaches runs once, and that strand ends there.
//! - [`ok_strands`]: what that walk overlooks, and branches that meet by their error transitions, as a lint.
//!
//! Job property `oozie.wf.validate.ForkJoin=false` suppresses the errors about graphs that the engine can run anyway.

use std::collections::{BTreeMap, BTreeSet};

use hpdlc_core::el::functions::Dialect;

use crate::{
    analysis::{
        cycles::Reach,
        given::JobProperties,
        graph::{Edge, Graph},
    },
    diagnostics::{Code, Sink},
    lints::{
        repeated_joins::RepeatedJoin,
        shared_branch_nodes::{SharedBranchNode, SharingBranch},
    },
    model::{NodeId, NodeKind, TransitionKind, WorkflowApp},
    source::Span,
};

mod converging_branches;
mod end_inside_fork;
mod fork_without_join;
mod join_without_fork;
mod ok_paths;
mod ok_strands;
mod repeated_fork_path;
mod several_forks_of_join;
mod several_joins_of_fork;
mod strands;

#[cfg(test)]
mod oracle;
#[cfg(test)]
mod tests;

use self::{
    converging_branches::ConvergingBranches,
    end_inside_fork::EndInsideFork,
    fork_without_join::ForkWithoutJoin,
    join_without_fork::JoinWithoutFork,
    ok_strands::{Meeting, Ways},
    repeated_fork_path::RepeatedForkPath,
    several_forks_of_join::SeveralForks,
    several_joins_of_fork::SeveralJoins,
    strands::{StrandFault, Strands},
};

pub static CODES: &[&Code] = &[
    &fork_without_join::CODE,
    &several_joins_of_fork::CODE,
    &join_without_fork::CODE,
    &several_forks_of_join::CODE,
    &end_inside_fork::CODE,
    &repeated_fork_path::CODE,
    &converging_branches::CODE,
];

/// The job property that disables Oozie's validation of forks.
const VALIDATE: &str = "oozie.wf.validate.ForkJoin";

/// Shared nodes whose ways are searched for. Each search may visit the whole graph.
const MOST_WITH_PATHS: usize = 50;

/// The join of each fork.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairing {
    joins: BTreeMap<NodeId, NodeId>,
}

impl Pairing {
    /// The join where all strands of `fork` meet. `None` if every strand ends before one, for an unreachable fork, and in a
    /// workflow with errors.
    pub fn join_of(&self, fork: NodeId) -> Option<NodeId> {
        self.joins.get(&fork).copied()
    }

    /// Each fork that has a join, with that join.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, NodeId)> {
        self.joins.iter().map(|(&fork, &join)| (fork, join))
    }
}

/// A named place in the document.
#[derive(Clone, Debug)]
struct NamedSpan {
    name: String,
    span: Span,
}

/// Pairs forks with joins. A graph with cycles, which have been reported, has no pairing.
pub(crate) fn pair(
    app: &WorkflowApp,
    graph: &Graph,
    reach: &Reach,
    given: &JobProperties,
    sink: &mut Sink,
) -> Pairing {
    let Some(order) = &reach.order else {
        return Pairing::default();
    };
    let is_validated = given.value(VALIDATE) != Some("false");
    let strands = strands::follow(app, graph, order);
    let mut converging = BTreeSet::new();
    let mut is_reported = BTreeSet::new();
    if is_validated {
        report_repeated_paths(app, graph, order, sink);
        for convergence in ok_paths::convergences(app, graph, &strands.pairing) {
            let node = convergence.second.to;
            converging.extend(strands.forks_at(node));
            is_reported.insert(node);
            // Two paths of one fork to one node have been reported as repeated paths.
            if convergence.first.from != convergence.second.from {
                sink.emit(ConvergingBranches {
                    node: named(app, node),
                    first: convergence.first.span,
                    second: convergence.second.span,
                    fork: strands.forks_at(node).next().map(|fork| named(app, fork)),
                });
            }
        }
    }
    if strands.faults.is_empty() {
        let mut n_shown = 0;
        for ways in [Ways::Ok, Ways::All] {
            for meeting in ok_strands::meetings(app, graph, order, &strands.pairing, ways) {
                let node = meeting.second.to;
                if is_reported.insert(node) {
                    n_shown += 1;
                    let has_paths = n_shown <= MOST_WITH_PATHS;
                    sink.emit(shared(app, graph, &meeting, has_paths));
                }
            }
        }
    }
    let ended = ended_forks(&strands);
    for fault in &strands.faults {
        // Branches that converge before the join explain why it is missing or reached twice.
        let is_explained = fault.forks().iter().any(|fork| converging.contains(fork));
        // In the proposal of 2009 the other branches are killed, and the job is SUCCEEDED.
        let is_legal = app.dialect == Dialect::Proposal && is_about_ends(&ended, fault);
        let is_wanted = is_validated || !matches!(fault, StrandFault::NoJoin { .. });
        if !is_explained && !is_legal && is_wanted {
            report(app, graph, &strands, fault, sink);
        }
    }
    strands.pairing
}

fn shared(
    app: &WorkflowApp,
    graph: &Graph,
    meeting: &Meeting,
    has_paths: bool,
) -> SharedBranchNode {
    let name = |node: NodeId| app.node(node).name.value.clone();
    let way = |edge: &Edge| SharingBranch {
        place: edge.span,
        is_error: edge.kind == TransitionKind::Error,
        path: has_paths
            .then(|| ok_strands::path(graph, meeting.fork, edge))
            .into_iter()
            .flatten()
            .map(|step| (name(step.to), step.kind == TransitionKind::Error))
            .collect(),
    };
    SharedBranchNode {
        node: name(meeting.second.to),
        fork: name(meeting.fork),
        fork_place: app.node(meeting.fork).name.span,
        first: way(&meeting.first),
        second: way(&meeting.second),
    }
}

/// Reports forks that list one node twice, where that node is neither a join nor a kill.
fn report_repeated_paths(app: &WorkflowApp, graph: &Graph, order: &[NodeId], sink: &mut Sink) {
    for &node in order {
        if !matches!(app.node(node).kind, NodeKind::Fork(_)) {
            continue;
        }
        let mut first_paths: BTreeMap<NodeId, Span> = BTreeMap::new();
        for edge in graph.edges_from(node) {
            let first = *first_paths.entry(edge.to).or_insert(edge.span);
            if first == edge.span {
                continue;
            }
            let target = app.node(edge.to).name.value.clone();
            match app.node(edge.to).kind {
                NodeKind::Kill(_) => {}
                NodeKind::Join(_) => sink.emit(RepeatedJoin {
                    join: target,
                    fork: app.node(node).name.value.clone(),
                    first,
                    second: edge.span,
                }),
                NodeKind::Start(_)
                | NodeKind::End(_)
                | NodeKind::Decision(_)
                | NodeKind::Fork(_)
                | NodeKind::Action(_) => sink.emit(RepeatedForkPath {
                    fork: named(app, node),
                    target,
                    first,
                    second: edge.span,
                }),
            }
        }
    }
}

/// The forks in which an `end` is reached.
fn ended_forks(strands: &Strands) -> BTreeSet<NodeId> {
    let faults = strands.faults.iter();
    let ends = faults.filter(|fault| matches!(fault, StrandFault::EndInside { .. }));
    ends.flat_map(|fault| fault.forks().to_vec()).collect()
}

/// Whether the fault is that an `end` is reached inside a fork, or that a fork has no join because of that.
fn is_about_ends(ended: &BTreeSet<NodeId>, fault: &StrandFault) -> bool {
    match fault {
        StrandFault::EndInside { .. } => true,
        StrandFault::NoJoin { fork } => ended.contains(fork),
        StrandFault::SeveralJoins { .. }
        | StrandFault::NoFork { .. }
        | StrandFault::SeveralForks { .. } => false,
    }
}

/// Reports a fault of the pairing.
fn report(
    app: &WorkflowApp,
    graph: &Graph,
    strands: &Strands,
    fault: &StrandFault,
    sink: &mut Sink,
) {
    let named_all = |nodes: &[NodeId]| nodes.iter().map(|&node| named(app, node)).collect();
    match fault {
        StrandFault::NoJoin { fork } => sink.emit(ForkWithoutJoin {
            fork: named(app, *fork),
        }),
        StrandFault::SeveralJoins { fork, joins } => sink.emit(SeveralJoins {
            fork: named(app, *fork),
            joins: named_all(joins),
        }),
        StrandFault::NoFork { join } => sink.emit(JoinWithoutFork {
            join: named(app, *join),
            arrival: graph
                .edges_to(*join)
                .find(|edge| strands.is_outside_along(edge))
                .map(|edge| edge.span),
            fork: strands.forks_at(*join).next().map(|fork| named(app, fork)),
        }),
        StrandFault::SeveralForks { join, forks } => sink.emit(SeveralForks {
            join: named(app, *join),
            forks: named_all(forks),
        }),
        StrandFault::EndInside {
            forks,
            first,
            others,
        } => sink.emit(EndInsideFork {
            end: app.node(first.to).name.value.clone(),
            forks: named_all(forks),
            join: match forks.as_slice() {
                [fork] => strands.pairing.join_of(*fork).map(|join| named(app, join)),
                [..] => None,
            },
            first: first.span,
            others: others.iter().map(|edge| edge.span).collect(),
        }),
    }
}

fn named(app: &WorkflowApp, node: NodeId) -> NamedSpan {
    let node = app.node(node);
    NamedSpan {
        name: node.name.value.clone(),
        span: node.name.span,
    }
}
