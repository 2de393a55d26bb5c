//! Invariants of a job that has ended, in whatever order events occurred.

use std::collections::BTreeSet;

use hpdlc_core::{
    definition::{Definition, NodeId, Shape},
    status::{ActionStatus, JobStatus},
    step::{JobState, NodeState},
};

use super::{
    graph::SimulatedGraph,
    plan::{FatePlan, PlannedEnd},
};

/// `was_killed`: a kill was requested, perhaps too late.
pub fn check_end(
    graph: &SimulatedGraph,
    plan: &FatePlan,
    state: &JobState,
    was_killed: bool,
) -> Result<(), String> {
    let mut ends_reached = 0;
    for (&node, node_state) in &state.nodes {
        if node_state.is_canceling || !node_state.status.is_terminal() {
            return Err(format!(
                "node {} is {} at the end",
                node.0, node_state.status
            ));
        }
        match graph.shape(node) {
            Shape::End => ends_reached += u32::from(node_state.status == ActionStatus::Ok),
            Shape::Action | Shape::Decision => check_as_planned(plan, node, node_state)?,
            Shape::Start | Shape::Kill | Shape::Fail | Shape::Fork { .. } | Shape::Join => {}
        }
    }
    if (state.status == JobStatus::Succeeded) != (ends_reached == 1) {
        return Err(format!(
            "{ends_reached} ends were reached, the job is {}",
            state.status
        ));
    }
    check_prediction(graph, plan, state, was_killed)
}

fn check_as_planned(plan: &FatePlan, node: NodeId, state: &NodeState) -> Result<(), String> {
    let end = plan.end(node);
    let is_as_planned = match state.status {
        ActionStatus::Killed => true,
        ActionStatus::Failed => end == PlannedEnd::FailsTheJob,
        ActionStatus::Ok | ActionStatus::Error => {
            state.outcome.map(PlannedEnd::Follows) == Some(end)
        }
        ActionStatus::Prep
        | ActionStatus::Running
        | ActionStatus::Done
        | ActionStatus::StartRetry
        | ActionStatus::StartManual
        | ActionStatus::UserRetry => false,
    };
    if is_as_planned {
        return Ok(());
    }
    Err(format!(
        "node {} is {state:?}, and {end:?} was planned",
        node.0
    ))
}

fn check_prediction(
    graph: &SimulatedGraph,
    plan: &FatePlan,
    state: &JobState,
    was_killed: bool,
) -> Result<(), String> {
    let prediction = plan.predict(graph);
    let may_end_so = match state.status {
        JobStatus::Succeeded => {
            graph.ends_in_forks || !(prediction.may_be_killed || prediction.may_fail)
        }
        JobStatus::Killed => was_killed || prediction.may_be_killed,
        JobStatus::Failed => prediction.may_fail,
        JobStatus::Prep | JobStatus::Running | JobStatus::Suspended => false,
    };
    if !may_end_so {
        return Err(format!(
            "the job ended {}, against {prediction:?}",
            state.status
        ));
    }
    let entered: BTreeSet<NodeId> = state.nodes.keys().copied().collect();
    for node in entered.difference(&prediction.entered) {
        // A strand may reach the join of another fork, which does not wait for it.
        let waits = state.nodes[node].status != ActionStatus::Ok;
        if graph.shape(*node) != Shape::Join || !waits {
            return Err(format!("node {} was entered", node.0));
        }
    }
    if state.status != JobStatus::Succeeded || graph.ends_in_forks {
        return Ok(());
    }
    if let Some(node) = prediction.entered.difference(&entered).next() {
        return Err(format!("node {} was never entered", node.0));
    }
    let was_killed = |node: &&NodeId| state.nodes[*node].status == ActionStatus::Killed;
    match entered.iter().find(was_killed) {
        Some(node) => Err(format!("node {} was killed by success", node.0)),
        None => Ok(()),
    }
}
