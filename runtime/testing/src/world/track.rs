//! The way that a job has taken, and the values that its nodes got.

use std::collections::{BTreeMap, BTreeSet};

use hpdlc_core::{
    definition::{Definition, NodeId, Outcome, Shape},
    status::ActionStatus,
    step::{Effect, JobState, Step},
};

use crate::values::Values;

/// What is kept of one run of a job besides its rows.
#[derive(Debug)]
pub(crate) struct Track {
    /// The place of the action that waits for the job; empty at the top.
    place: String,
    /// The nodes in the order in which they began.
    path: Vec<NodeId>,
    values: BTreeMap<NodeId, Values>,
}

impl Track {
    pub(super) fn new(place: String) -> Track {
        Track {
            place,
            path: Vec::new(),
            values: BTreeMap::new(),
        }
    }

    /// What the places of the job's nodes begin with.
    pub(crate) fn prefix(&self) -> String {
        if self.place.is_empty() {
            String::new()
        } else {
            format!("{}/", self.place)
        }
    }

    pub(crate) fn path(&self) -> &[NodeId] {
        &self.path
    }

    /// The values of the last attempt of a node.
    pub(crate) fn values(&self, node: NodeId) -> Option<&Values> {
        self.values.get(&node)
    }

    pub(super) fn set_values(&mut self, node: NodeId, values: Values) {
        self.values.insert(node, values);
    }

    /// Adds the nodes that have begun by a step, each after the one that leads to it.
    pub(super) fn follow(&mut self, definition: &dyn Definition, state: &JobState, step: &Step) {
        let evaluated = step.effects.iter().filter_map(|effect| match effect {
            Effect::Choose { node } | Effect::Prepare { node, .. } => Some(*node),
            Effect::Launch { .. }
            | Effect::Cancel { .. }
            | Effect::Wait { .. }
            | Effect::Message { .. }
            | Effect::StrandEnded { .. }
            | Effect::Skipped { .. }
            | Effect::Suspended
            | Effect::Finished(_) => None,
        });
        let has_begun = |node: &NodeId| {
            state.nodes.get(node).is_some_and(|state| {
                !matches!(state.status, ActionStatus::Prep | ActionStatus::Killed)
            })
        };
        let changed = step.changed.iter().copied().filter(has_begun);
        let mut begun: BTreeSet<NodeId> = evaluated.chain(changed).collect();
        begun.retain(|node| !self.path.contains(node));
        let targets: BTreeSet<NodeId> = begun
            .iter()
            .flat_map(|&node| next_nodes(definition, state, node))
            .collect();
        let mut waiting: Vec<NodeId> = begun.difference(&targets).copied().collect();
        waiting.reverse();
        while let Some(node) = waiting.pop() {
            if begun.remove(&node) {
                self.path.push(node);
                waiting.extend(next_nodes(definition, state, node).into_iter().rev());
            }
        }
    }
}

/// The nodes to which a node has led.
fn next_nodes(definition: &dyn Definition, state: &JobState, node: NodeId) -> Vec<NodeId> {
    let outcomes = match definition.shape(node) {
        Shape::Fork { branches, .. } => (0..branches).map(Outcome::Branch).collect(),
        Shape::Start
        | Shape::End
        | Shape::Kill
        | Shape::Fail
        | Shape::Decision
        | Shape::Join
        | Shape::Action => {
            let outcome = state.nodes.get(&node).and_then(|state| state.outcome);
            Vec::from_iter(outcome)
        }
    };
    let next = |outcome| definition.next(node, outcome);
    outcomes.into_iter().filter_map(next).collect()
}
