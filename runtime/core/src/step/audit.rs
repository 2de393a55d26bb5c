//! Invariants of a job's state that hold between events.
//!
//! The machine maintains them; simulations check them after every event, and the doctor command uses them to find damaged stores.

use std::{collections::BTreeMap, fmt};

use crate::{
    definition::{Definition, NodeId, Outcome, Shape},
    status::{ActionStatus, JobStatus},
    step::{JobState, NodeState},
};

/// A violation that no job can reach by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Violation {
    /// The strand count of a fork differs from its live strands.
    StrandCount {
        fork: NodeId,
        counted: u32,
        live: u32,
    },
    /// Every strand of the fork has ended, and its join has not fired: the job is stuck.
    JoinHeld { fork: NodeId, join: NodeId },
    /// The join has fired although strands of its fork are live.
    JoinEarly { fork: NodeId, join: NodeId },
    /// A transition of a node was taken, but its target was not entered: a strand is lost.
    StrandLost { from: NodeId, to: NodeId },
    /// No taken transition leads to this node.
    EnteredByNobody { node: NodeId },
}

impl Violation {
    /// A human-readable description of the violation.
    pub fn describe(self, name: impl Fn(NodeId) -> String) -> String {
        match self {
            Violation::StrandCount {
                fork,
                counted,
                live,
            } => format!(
                "fork {} counts {counted} active branches, but {live} are active",
                name(fork)
            ),
            Violation::JoinHeld { fork, join } => format!(
                "every branch of fork {} has ended, but join {} does not continue",
                name(fork),
                name(join)
            ),
            Violation::JoinEarly { fork, join } => format!(
                "join {} continued while branches of fork {} were active",
                name(join),
                name(fork)
            ),
            Violation::StrandLost { from, to } => {
                format!(
                    "{} has led to {}, which was never entered",
                    name(from),
                    name(to)
                )
            }
            Violation::EnteredByNobody { node } => {
                format!("{} was entered, and nothing has led to it", name(node))
            }
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe(|node| node.0.to_string()))
    }
}

/// All violations in a job. Jobs that have ended are not checked: their strands were cut off.
pub fn audit(definition: &dyn Definition, state: &JobState) -> Vec<Violation> {
    if state.status.is_terminal() || state.status == JobStatus::Prep {
        return Vec::new();
    }
    let mut violations = Vec::new();
    let live = live_strands(definition, state);
    let mut entered_by_join = Vec::new();
    for (&fork, fork_state) in &state.nodes {
        let Shape::Fork { join, .. } = definition.shape(fork) else {
            continue;
        };
        let live = live.get(&fork).copied().unwrap_or_default();
        let counted = fork_state.live_strands;
        if live != counted {
            violations.push(Violation::StrandCount {
                fork,
                counted,
                live,
            });
        }
        let Some(join) = join.filter(|_| has_begun(fork_state)) else {
            continue;
        };
        let has_fired = state.nodes.get(&join).is_some_and(|join| {
            join.outcome == Some(Outcome::Joined) || is_held_join(Shape::Join, join)
        });
        match (has_fired, counted) {
            (false, 0) => violations.push(Violation::JoinHeld { fork, join }),
            (true, 1..) => violations.push(Violation::JoinEarly { fork, join }),
            (true, 0) => entered_by_join.push(join),
            (false, 1..) => {}
        }
    }
    let mut led_to = entered_by_join;
    for (&from, node_state) in &state.nodes {
        for to in taken(definition, from, node_state) {
            led_to.push(to);
            if !state.nodes.contains_key(&to) {
                violations.push(Violation::StrandLost { from, to });
            }
        }
    }
    led_to.sort_unstable();
    let by_nobody = state
        .nodes
        .keys()
        .filter(|&&node| node != definition.start() && led_to.binary_search(&node).is_err());
    violations.extend(by_nobody.map(|&node| Violation::EnteredByNobody { node }));
    violations
}

/// The number of live strands of each fork: nodes and forks in it that have not ended, and joins that wait for the job to be
/// resumed.
fn live_strands(definition: &dyn Definition, state: &JobState) -> BTreeMap<NodeId, u32> {
    let mut live = BTreeMap::new();
    for (&node, node_state) in &state.nodes {
        let lives = match definition.shape(node) {
            // A fork that waits for the job to be resumed has no strands yet.
            Shape::Fork { .. } => node_state.live_strands > 0 || !has_begun(node_state),
            Shape::Join => is_held_join(Shape::Join, node_state),
            Shape::Start
            | Shape::End
            | Shape::Kill
            | Shape::Fail
            | Shape::Decision
            | Shape::Action => !node_state.status.is_terminal(),
        };
        if let (true, Some(fork)) = (lives, node_state.strand) {
            *live.entry(fork).or_default() += 1;
        }
    }
    live
}

fn has_begun(fork: &NodeState) -> bool {
    fork.status.is_terminal()
}

/// A join that every strand has reached and that fires when the job is resumed.
pub fn is_held_join(shape: Shape, join: &NodeState) -> bool {
    shape == Shape::Join && join.status == ActionStatus::Prep && join.attempt == 1
}

/// The targets of the transitions that were taken from a node.
fn taken(definition: &dyn Definition, node: NodeId, state: &NodeState) -> Vec<NodeId> {
    let outcomes = match definition.shape(node) {
        Shape::Fork { branches, .. } if has_begun(state) => {
            (0..branches).map(Outcome::Branch).collect()
        }
        // A parked node continues when the job is resumed.
        _ if state.status == ActionStatus::Done => Vec::new(),
        _ => Vec::from_iter(state.outcome),
    };
    let ways = outcomes.into_iter();
    ways.filter_map(|outcome| definition.next(node, outcome))
        .collect()
}
