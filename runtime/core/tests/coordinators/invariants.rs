//! Invariants after every step.

use chrono::Duration;
use hpdlc_core::{
    coordinator::{
        CoordinatorActionStatus as A, CoordinatorStatus as C, Execution, MOST_READY, aggregated,
        machine::{
            ActionRecord, CoordinatorEvent, CoordinatorState, CoordinatorStep, SchedulerSettings,
        },
    },
    status::JobStatus,
};

use super::world::CoordinatorWorld;

fn holds(what: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if what { Ok(()) } else { Err(message()) }
}

/// The state that a new owner rebuilds from the rows.
pub fn rebuilt(world: &CoordinatorWorld) -> CoordinatorState {
    let living = world.rows().values().filter(|row| !row.is_at_rest());
    CoordinatorState::rebuild(
        &world.revisions,
        SchedulerSettings::default(),
        world.job.clone(),
        living.cloned().collect(),
        world.counts(),
    )
}

/// The state in memory equals that in the store.
pub fn check_rows(world: &CoordinatorWorld) -> Result<(), String> {
    let rebuilt = rebuilt(world);
    let state = &world.state;
    holds(state.job() == &world.job, || {
        "the job's row is old".to_owned()
    })?;
    let living: Vec<&ActionRecord> = state.actions().collect();
    let stored: Vec<&ActionRecord> = rebuilt.actions().collect();
    holds(living == stored, || format!("{living:?} is not {stored:?}"))?;
    holds(state.counts() == rebuilt.counts(), || {
        "the counts are wrong".to_owned()
    })?;
    holds(state.outstanding() == rebuilt.outstanding(), || {
        "another owner would owe something else".to_owned()
    })
}

pub fn check(
    world: &CoordinatorWorld,
    before: &CoordinatorState,
    event: &CoordinatorEvent,
    step: &CoordinatorStep,
) -> Result<(), String> {
    let state = &world.state;
    if step.refusal.is_some() {
        let nothing = step.actions.is_empty() && step.effects.is_empty() && !step.job_changed;
        return holds(nothing && state.job() == before.job(), || {
            "a refused command did something".to_owned()
        });
    }
    check_making(world, before, step)?;
    check_transitions(world, event, step)?;
    let job = (before.job().status, state.job().status);
    let may_reopen = matches!(
        event,
        CoordinatorEvent::Rerun { .. } | CoordinatorEvent::Change(_)
    );
    holds(!job.0.is_terminal() || job.0 == job.1 || may_reopen, || {
        format!("a coordinator went from {} to {}", job.0, job.1)
    })?;
    check_order(world, step)
}

/// Every nominal time is materialized once, in order, and never beyond the throttle.
fn check_making(
    world: &CoordinatorWorld,
    before: &CoordinatorState,
    step: &CoordinatorStep,
) -> Result<(), String> {
    let state = &world.state;
    let controls = world.coordinator().controls;
    let mut last = before
        .job()
        .last_number
        .min(step.deleted.first().map_or(u64::MAX, |deleted| deleted - 1));
    for transition in step.transitions.iter().filter(|made| made.from.is_none()) {
        last += 1;
        holds(transition.number == last, || {
            format!("action {} was made after {}", transition.number, last - 1)
        })?;
        let schedule = &world.coordinator().schedule;
        let mut endless = schedule.clone();
        endless.end += Duration::days(1);
        let nominal = endless.actions_from(transition.nominal).next();
        let expected = nominal.map(|action| (action.number, action.time));
        holds(expected == Some((last, transition.nominal)), || {
            format!(
                "action {last} at {}, and not {expected:?}",
                transition.nominal
            )
        })?;
        holds(transition.nominal <= world.now, || {
            format!("action {last} is early")
        })?;
        holds(transition.nominal < state.job().end, || {
            format!("action {last} is late")
        })?;
    }
    holds(state.job().last_number == last, || {
        "the last number is wrong".to_owned()
    })?;
    let kept = |of: &CoordinatorState| {
        let (waiting, ready) = (of.counts().of(A::Waiting), of.counts().of(A::Ready));
        match controls.execution {
            Execution::Lifo => (waiting, ready),
            Execution::Fifo | Execution::LastOnly | Execution::None => (waiting + ready, 0),
        }
    };
    let makes = step.transitions.iter().any(|made| made.from.is_none());
    let (n_waiting, n_ready) = kept(state);
    let (n_before, _) = kept(before);
    let most = u64::from(controls.throttle).max(n_before);
    holds(
        !makes || (n_waiting <= most && n_ready <= MOST_READY),
        || format!("{n_waiting} wait, and {most} may"),
    )
}

fn check_transitions(
    world: &CoordinatorWorld,
    event: &CoordinatorEvent,
    step: &CoordinatorStep,
) -> Result<(), String> {
    for transition in &step.transitions {
        let number = transition.number;
        if let Some(from) = transition.from {
            let is_rerun =
                matches!(event, CoordinatorEvent::Rerun { .. }) && transition.to == A::Waiting;
            let is_ignored =
                matches!(event, CoordinatorEvent::IgnoreActions(_)) && transition.to == A::Ignored;
            holds(!from.is_terminal() || is_rerun || is_ignored, || {
                format!("action {number} went from {from} to {}", transition.to)
            })?;
        }
        let Some(record) = step.actions.get(&number) else {
            return Err(format!("action {number} changed and has no row"));
        };
        if transition.to == A::TimedOut {
            let waited = (world.now - record.since).num_minutes();
            let may = record.timeout.is_some_and(|timeout| waited > timeout);
            holds(may, || format!("action {number} timed out after {waited}"))?;
        }
        if transition.to == A::Skipped {
            holds(record.run == 0, || {
                format!("the rerun {number} was skipped")
            })?;
        }
        // Without input logic, all fixed instances must have arrived.
        if transition.to == A::Ready && world.coordinator().input_logic.is_none() {
            let data = world.coordinator().data_of(record.nominal);
            let data = data.map_err(|(event, error)| format!("{event}: {error}"))?;
            for (event, instances) in world.coordinator().inputs.iter().zip(&data.inputs) {
                for time in &instances.fixed {
                    let uri = event.dataset.done_uri(&event.dataset.uri(*time));
                    holds(world.has_arrived(&uri), || {
                        format!("action {number} is ready without {uri}")
                    })?;
                }
            }
        }
    }
    Ok(())
}

/// Each started action precedes all remaining ones in the coordinator's order.
fn check_order(world: &CoordinatorWorld, step: &CoordinatorStep) -> Result<(), String> {
    let state = &world.state;
    let left: Vec<u64> = state
        .actions()
        .filter(|record| record.status == A::Ready)
        .map(|record| record.number)
        .collect();
    for transition in step.transitions.iter().filter(|to| to.to == A::Submitted) {
        let other = left
            .iter()
            .find(|left| !world.precedes(transition.number, **left));
        // An action that became ready later in the same step is exempt.
        let later = |number: u64| {
            let ready = |of: &u64| {
                step.transitions
                    .iter()
                    .position(|to| to.number == *of && to.to == A::Ready)
            };
            let submitted = step
                .transitions
                .iter()
                .position(|to| to == transition)
                .unwrap_or(0);
            ready(&number).is_some_and(|ready| ready > submitted)
        };
        holds(other.is_none_or(|other| later(*other)), || {
            format!("{} was started before {other:?}", transition.number)
        })?;
    }
    Ok(())
}

/// The concurrency is not exceeded when another workflow is submitted.
pub fn check_concurrency(world: &CoordinatorWorld, number: u64) -> Result<(), String> {
    let Some(most) = world.job.concurrency else {
        return Ok(());
    };
    let n_running = world
        .workflows
        .values()
        .filter(|workflow| {
            // A workflow that has suspended itself counts until this is reported to the coordinator.
            matches!(workflow.status, JobStatus::Prep | JobStatus::Running)
        })
        .count();
    let resumed = world
        .rows()
        .values()
        .filter(|row| row.status == A::Suspended);
    // The user may have resumed workflows without the coordinator's knowledge.
    let n_unknown = resumed
        .filter(|row| {
            let workflow = world.workflows.get(&row.number);
            workflow.is_some_and(|workflow| workflow.status == JobStatus::Running)
                && row.command.is_none()
        })
        .count();
    let n = u64::try_from(n_running - n_unknown).unwrap_or(u64::MAX);
    holds(n <= u64::from(most), || {
        format!("{n} workflows run with that of action {number}, and {most} may")
    })
}

/// All due actions were materialized and have ended, and the coordinator's state matches theirs.
pub fn check_end(world: &CoordinatorWorld) -> Result<(), String> {
    let job = world.state.job();
    let living = world.state.actions().next();
    holds(living.is_none(), || format!("{living:?} lives on"))?;
    let numbers: Vec<u64> = world.rows().keys().copied().collect();
    holds(numbers == (1..=job.last_number).collect::<Vec<_>>(), || {
        format!("{numbers:?} are not all up to {}", job.last_number)
    })?;
    // A killed coordinator materializes no more, even if some of its actions are rerun.
    if !world.seen().contains("job KILLED") {
        holds(job.next_time.is_none_or(|next| next >= job.end), || {
            format!("{:?} is not made", job.next())
        })?;
    }
    let progress = hpdlc_core::coordinator::AggregationProgress {
        is_done: true,
        is_pending: false,
    };
    let counts = world.counts();
    let expected = match job.status {
        // Actions ignored after the end change no state any more.
        _ if counts.of(A::Ignored) > 0 => job.status,
        C::Killed | C::Ignored => job.status,
        _ => aggregated(C::Running, &counts, progress),
    };
    holds(job.status == expected || job.status == C::Succeeded, || {
        format!("it is {} and not {expected}", job.status)
    })
}
