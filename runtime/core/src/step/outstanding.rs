//! The effects that a recovered job still has to perform.

use super::{Effect, JobState};
use crate::{
    definition::{Definition, NodeId, Shape},
    status::{ActionStatus, JobStatus},
};

/// The effects that a job with this recorded state still has to perform, in node order.
///
/// A suspended job has none until it is resumed; a job that has ended has the unconfirmed cancellations.
pub fn outstanding(definition: &dyn Definition, state: &JobState) -> Vec<Effect> {
    let mut effects = Vec::new();
    for (&node, node_state) in &state.nodes {
        if node_state.is_canceling {
            effects.push(Effect::Cancel {
                node,
                attempt: node_state.attempt,
            });
            continue;
        }
        if state.status != JobStatus::Running {
            continue;
        }
        let attempt = node_state.attempt;
        match node_state.status {
            ActionStatus::Prep => effects.extend(evaluation(definition, node, attempt)),
            ActionStatus::Running => effects.push(Effect::Launch { node, attempt }),
            ActionStatus::StartRetry | ActionStatus::UserRetry => {
                effects.push(Effect::Wait { node, delay: None });
            }
            ActionStatus::Done
            | ActionStatus::StartManual
            | ActionStatus::Ok
            | ActionStatus::Error
            | ActionStatus::Killed
            | ActionStatus::Failed => {}
        }
    }
    effects
}

/// The first effect of an attempt of a node; `None` for nodes that evaluate nothing.
pub(super) fn evaluation(
    definition: &dyn Definition,
    node: NodeId,
    attempt: u32,
) -> Option<Effect> {
    match definition.shape(node) {
        Shape::Decision => Some(Effect::Choose { node }),
        Shape::Action => Some(Effect::Prepare { node, attempt }),
        Shape::Start
        | Shape::End
        | Shape::Kill
        | Shape::Fail
        | Shape::Fork { .. }
        | Shape::Join => None,
    }
}
