//! Invariants after every event.

use hpdlc_core::{
    definition::{Definition, NodeId, Outcome, Shape},
    status::{ActionStatus, JobStatus},
    step::{Effect, Event, JobState, NodeState, Skip, Step, audit, is_held_join},
};

use super::graph::SimulatedGraph;

/// Checks a step against the states before and after it.
pub fn check_step(
    graph: &SimulatedGraph,
    before: &JobState,
    event: Event,
    step: &Step,
    after: &JobState,
) -> Result<(), String> {
    if step.job_changed != (before.status != after.status) {
        return Err("the step does not say whether the job changed".to_owned());
    }
    if !may_follow(before.status, after.status) {
        return Err(format!(
            "the job went from {} to {}",
            before.status, after.status
        ));
    }
    for (&node, now) in &after.nodes {
        let then = before.nodes.get(&node);
        if then == Some(now) {
            continue;
        }
        if !step.changed.contains(&node) {
            return Err(format!("node {} changed silently", node.0));
        }
        let is_killed = now.status == ActionStatus::Killed;
        if is_killed && after.skips.contains_key(&node) {
            return Err(format!("node {} was killed and is to be skipped", node.0));
        }
        match before.skips.get(&node) {
            Some(skip) if !is_killed && !after.skips.contains_key(&node) => {
                check_skipped(node, skip, now)?;
            }
            Some(_) | None => check_node(graph, node, then, now)?,
        }
    }
    if before
        .nodes
        .keys()
        .any(|node| !after.nodes.contains_key(node))
    {
        return Err("a node was forgotten".to_owned());
    }
    check_effects(graph, before, event, step, after)?;
    match audit(graph, after).first() {
        Some(violation) => Err(violation.to_string()),
        None => Ok(()),
    }
}

fn may_follow(before: JobStatus, after: JobStatus) -> bool {
    use JobStatus::{Failed, Killed, Prep, Running, Succeeded, Suspended};
    match before {
        // The start may be a suspend point.
        Prep => true,
        Running => after != Prep,
        // Resume may let parked actions end the job.
        Suspended => after != Prep,
        Succeeded | Killed | Failed => after == before,
    }
}

/// A skipped node ends as in the earlier run, without any effect.
fn check_skipped(node: NodeId, skip: &Skip, now: &NodeState) -> Result<(), String> {
    let status = if skip.outcome == Outcome::Error {
        ActionStatus::Error
    } else {
        ActionStatus::Ok
    };
    let is_same =
        now.status == status && now.outcome == Some(skip.outcome) && now.attempt == skip.attempt;
    if is_same {
        return Ok(());
    }
    Err(format!(
        "node {} is skipped as {skip:?}, now {now:?}",
        node.0
    ))
}

fn check_node(
    graph: &SimulatedGraph,
    node: NodeId,
    then: Option<&NodeState>,
    now: &NodeState,
) -> Result<(), String> {
    let fail = |what: &str| Err(format!("node {}: {what}: {then:?}, now {now:?}", node.0));
    let shape = graph.shape(node);
    let is_work = matches!(shape, Shape::Action | Shape::Decision);
    if now.is_canceling && now.status != ActionStatus::Killed {
        return fail("canceled and not killed");
    }
    let has_way_out = match now.status {
        ActionStatus::Ok => !matches!(
            shape,
            Shape::End | Shape::Kill | Shape::Fail | Shape::Fork { .. }
        ),
        ActionStatus::Error | ActionStatus::Done => true,
        ActionStatus::Prep
        | ActionStatus::Running
        | ActionStatus::StartRetry
        | ActionStatus::StartManual
        | ActionStatus::UserRetry
        | ActionStatus::Killed
        | ActionStatus::Failed => false,
    };
    if now.outcome.is_some() != has_way_out {
        return fail("a way out that does not go with the status");
    }
    let Some(then) = then else {
        if is_work && now.attempt != 1 {
            return fail("the first attempt is number 1");
        }
        return Ok(());
    };
    if then.status.is_terminal() {
        // A fork counts its strands, and killed work is confirmed gone.
        let frozen = NodeState {
            live_strands: now.live_strands,
            is_canceling: now.is_canceling,
            ..then.clone()
        };
        if frozen != *now || (now.is_canceling && !then.is_canceling) {
            return fail("changed after its end");
        }
        if now.live_strands > then.live_strands {
            return fail("a strand came to life");
        }
        return Ok(());
    }
    if is_work && then.strand != now.strand {
        return fail("another strand took it over");
    }
    let waits_for_retry = matches!(
        then.status,
        ActionStatus::StartRetry | ActionStatus::UserRetry | ActionStatus::StartManual
    );
    let tries_again = waits_for_retry && now.status == ActionStatus::Prep;
    if is_held_join(shape, now) && then.attempt == 0 {
        return Ok(());
    }
    if now.attempt != then.attempt + u32::from(tries_again) {
        return fail("attempts are counted wrongly");
    }
    let may_follow = match now.status {
        ActionStatus::Prep => tries_again || then.status == ActionStatus::Prep,
        ActionStatus::Running => then.status == ActionStatus::Prep && shape == Shape::Action,
        ActionStatus::Killed => true,
        ActionStatus::Ok => match shape {
            Shape::Action => matches!(then.status, ActionStatus::Running | ActionStatus::Done),
            _ => then.status == ActionStatus::Prep,
        },
        ActionStatus::Error | ActionStatus::Done => is_work && !waits_for_retry,
        ActionStatus::StartRetry
        | ActionStatus::StartManual
        | ActionStatus::UserRetry
        | ActionStatus::Failed => {
            is_work && matches!(then.status, ActionStatus::Prep | ActionStatus::Running)
        }
    };
    if !may_follow {
        return fail("a status that cannot follow");
    }
    Ok(())
}

fn check_effects(
    graph: &SimulatedGraph,
    before: &JobState,
    event: Event,
    step: &Step,
    after: &JobState,
) -> Result<(), String> {
    let mut finished = None;
    for &effect in &step.effects {
        let status = |node: NodeId| after.nodes.get(&node).map(|node| node.status);
        let is_due = match effect {
            Effect::Choose { node } | Effect::Prepare { node, .. } => {
                after.status == JobStatus::Running
                    && status(node) == Some(ActionStatus::Prep)
                    && !before.skips.contains_key(&node)
            }
            Effect::Launch { node, attempt } => {
                after.status == JobStatus::Running
                    && status(node) == Some(ActionStatus::Running)
                    && after.nodes[&node].attempt == attempt
            }
            // Other effects and the delay of this one come from the same event.
            Effect::Wait { node, delay } => {
                let is_new = delay.is_some();
                let waits = [ActionStatus::StartRetry, ActionStatus::UserRetry];
                status(node).is_some_and(|status| waits.contains(&status))
                    && is_new == (event != Event::Resume)
            }
            Effect::Cancel { node, .. } => after.nodes[&node].is_canceling,
            Effect::Message { node } => {
                let end = if graph.shape(node) == Shape::Fail {
                    JobStatus::Failed
                } else {
                    JobStatus::Killed
                };
                status(node) == Some(ActionStatus::Ok) && after.status == end
            }
            Effect::StrandEnded { node } => {
                before.nodes.contains_key(&node) || status(node).is_some()
            }
            Effect::Skipped { node } => {
                before.skips.contains_key(&node)
                    && !after.skips.contains_key(&node)
                    && status(node).is_some_and(ActionStatus::is_terminal)
            }
            Effect::Suspended => {
                !before.status.is_terminal() && after.status == JobStatus::Suspended
            }
            Effect::Finished(status) => finished.replace(status).is_none(),
        };
        if !is_due {
            return Err(format!("{effect:?} does not go with the state"));
        }
    }
    let ends = !before.status.is_terminal() && after.status.is_terminal();
    if finished != ends.then_some(after.status) {
        return Err(format!("the end is announced as {finished:?}"));
    }
    Ok(())
}

/// Whether an event can have an effect in this state; otherwise it must be ignored.
pub fn has_meaning(graph: &SimulatedGraph, state: &JobState, event: Event) -> bool {
    let runs = state.status == JobStatus::Running;
    let lives = runs || state.status == JobStatus::Suspended;
    // A join that waits for strands has a state, but no attempt.
    let present = |node: NodeId| {
        let is_work = matches!(graph.shape(node), Shape::Action | Shape::Decision);
        state.nodes.get(&node).filter(|_| is_work)
    };
    let is = |node, attempt, status: &[ActionStatus]| {
        present(node).is_some_and(|node| node.attempt == attempt && status.contains(&node.status))
    };
    use ActionStatus::{Prep, Running, StartRetry, UserRetry};
    match event {
        Event::Start => state.status == JobStatus::Prep,
        Event::Kill => !state.status.is_terminal(),
        Event::Suspend => runs,
        Event::Resume => state.status == JobStatus::Suspended,
        Event::Chosen { node, .. } => {
            runs && graph.shape(node) == Shape::Decision
                && present(node).is_some_and(|node| node.status == Prep)
        }
        Event::Prepared { node, attempt } => {
            runs && graph.shape(node) == Shape::Action && is(node, attempt, &[Prep])
        }
        Event::Succeeded { node, attempt } => lives && is(node, attempt, &[Running]),
        Event::Failed { node, attempt, .. } => {
            lives && is(node, attempt, &[Prep, Running]) && !state.skips.contains_key(&node)
        }
        Event::RetryDue { node } => {
            runs && present(node).is_some_and(|node| [StartRetry, UserRetry].contains(&node.status))
        }
        Event::Canceled { node } => state.nodes.get(&node).is_some_and(|node| node.is_canceling),
    }
}
