//! Aggregation, and which actions start, are skipped or time out.

use super::*;
use crate::{
    coordinator::{CoordinatorActionStatus as A, CoordinatorStatus as C},
    frequency::FrequencyText,
    time::Zone,
};

#[test]
fn states_have_the_names_of_oozie() {
    for status in C::ALL {
        assert_eq!(C::from_name(status.name()), Some(status));
        let json = serde_json::to_string(&status).expect("is text");
        assert_eq!(json, format!("\"{status}\""));
    }
    for status in A::ALL {
        assert_eq!(A::from_name(status.name()), Some(status));
        let json = serde_json::to_string(&status).expect("is text");
        assert_eq!(json, format!("\"{status}\""));
    }
    let over: Vec<&str> = C::ALL
        .into_iter()
        .filter(|status| status.is_terminal())
        .map(C::name)
        .collect();
    assert_eq!(
        over,
        ["SUCCEEDED", "DONEWITHERROR", "KILLED", "FAILED", "IGNORED"]
    );
    assert_eq!(C::from_name("PREMATER"), None);
    assert_eq!(A::from_name("waiting"), None);
}

fn counts(statuses: &[A]) -> ActionCounts {
    let mut counts = ActionCounts::default();
    for status in statuses {
        counts.add(*status, 1);
    }
    counts
}

const DONE: AggregationProgress = AggregationProgress {
    is_done: true,
    is_pending: false,
};
const MORE: AggregationProgress = AggregationProgress {
    is_done: false,
    is_pending: false,
};
const PENDING: AggregationProgress = AggregationProgress {
    is_done: true,
    is_pending: true,
};

#[test]
fn coordinators_end_as_their_actions_do() {
    for (actions, expected) in [
        (&[][..], C::Succeeded),
        (&[A::Succeeded, A::Skipped], C::Succeeded),
        (&[A::Skipped], C::Succeeded),
        (&[A::Ignored], C::Succeeded),
        (&[A::Succeeded, A::TimedOut], C::DoneWithError),
        (&[A::TimedOut, A::TimedOut], C::DoneWithError),
        (&[A::Killed, A::Killed], C::Killed),
        (&[A::Failed, A::Failed], C::Failed),
        (&[A::Failed, A::Killed], C::DoneWithError),
        (&[A::Failed, A::Succeeded], C::DoneWithError),
        (&[A::Failed, A::Ignored], C::Failed),
        (&[A::Succeeded, A::Running], C::Running),
        (&[A::Killed, A::Waiting], C::RunningWithError),
    ] {
        let found = aggregated(C::Running, &counts(actions), DONE);
        assert_eq!(found, expected, "{actions:?}");
    }
}

#[test]
fn errors_show_while_a_coordinator_goes_on() {
    for (status, actions, progress, expected) in [
        (C::Running, &[A::Succeeded][..], MORE, C::Running),
        (C::Running, &[A::TimedOut], MORE, C::RunningWithError),
        // A rerun has fixed it.
        (C::RunningWithError, &[A::Succeeded], MORE, C::Running),
        (C::Paused, &[A::Failed], MORE, C::PausedWithError),
        (C::PausedWithError, &[A::Ignored], MORE, C::Paused),
        (
            C::Suspended,
            &[A::Killed, A::Suspended],
            MORE,
            C::SuspendedWithError,
        ),
        (C::SuspendedWithError, &[A::Suspended], DONE, C::Suspended),
        // Workflows that suspend themselves while no other action is active.
        (
            C::Running,
            &[A::Suspended, A::Succeeded],
            DONE,
            C::Suspended,
        ),
        (
            C::Running,
            &[A::Suspended, A::Failed],
            DONE,
            C::SuspendedWithError,
        ),
        (C::Running, &[A::Suspended, A::Succeeded], MORE, C::Running),
        (
            C::Running,
            &[A::Suspended, A::Succeeded],
            PENDING,
            C::Running,
        ),
        (C::Running, &[A::Suspended, A::Waiting], DONE, C::Running),
        // At rest.
        (C::Prep, &[], DONE, C::Prep),
        (C::PrepPaused, &[], DONE, C::PrepPaused),
        (C::PrepSuspended, &[A::Failed], DONE, C::PrepSuspended),
        (C::Failed, &[], DONE, C::Failed),
        (C::Killed, &[A::Succeeded], DONE, C::Killed),
        (C::Ignored, &[A::Failed], DONE, C::Ignored),
    ] {
        let found = aggregated(status, &counts(actions), progress);
        assert_eq!(found, expected, "{status} with {actions:?}");
    }
}

fn controls(execution: Execution, concurrency: Option<u32>) -> EffectiveControls {
    EffectiveControls {
        execution,
        concurrency,
        ..EffectiveControls::default()
    }
}

#[test]
fn as_many_are_made_as_the_throttle_leaves() {
    for (execution, actions, expected) in [
        (Execution::Fifo, &[(A::Waiting, 5)][..], 7),
        (Execution::Fifo, &[(A::Waiting, 13)], 0),
        // The number of ready actions would grow without bound.
        (Execution::Fifo, &[(A::Waiting, 5), (A::Ready, 5)], 2),
        (Execution::Fifo, &[(A::Running, 50), (A::Skipped, 50)], 12),
        (Execution::LastOnly, &[(A::Ready, 12)], 0),
        (Execution::Lifo, &[(A::Waiting, 5), (A::Ready, 5)], 7),
        (Execution::Lifo, &[(A::Ready, MOST_READY - 3)], 3),
        (Execution::Lifo, &[(A::Ready, MOST_READY)], 0),
    ] {
        let mut counts = ActionCounts::default();
        for (status, n) in actions {
            counts.add(*status, *n);
        }
        let found = policy::free_to_make(&controls(execution, None), &counts);
        assert_eq!(found, expected, "{execution:?} {actions:?}");
    }
}

#[test]
fn late_actions_are_skipped_after_a_time() {
    let schedule = Schedule {
        frequency: FrequencyText::plain("10").read().expect("is a frequency"),
        start: instant("2026-01-01T00:00"),
        end: instant("2026-01-01T00:30"),
        zone: Zone::UTC,
        processing_zone: ProcessingZone::UTC,
    };
    for (execution, number, expected) in [
        (Execution::Fifo, 1, None),
        (Execution::Lifo, 1, None),
        (Execution::LastOnly, 1, Some("2026-01-01T00:10")),
        // The last one: no action at the end time.
        (Execution::LastOnly, 3, None),
        (Execution::None, 1, Some("2026-01-01T00:01")),
        (Execution::None, 3, Some("2026-01-01T00:21")),
    ] {
        let mut actions = schedule.actions();
        let action = actions.find(|action| action.number == number);
        let found = policy::skipped_after(
            &controls(execution, None),
            &schedule,
            schedule.end,
            action.expect("is there"),
            policy::USUAL_TOLERANCE,
        );
        assert_eq!(found, expected.map(instant), "{execution:?} {number}");
    }
}

#[test]
fn actions_time_out_after_whole_minutes() {
    let since = instant("2026-01-01T00:00");
    for (timeout, expected) in [
        (Some(5), Some("2026-01-01T00:06")),
        (Some(0), Some("2026-01-01T00:01")),
        (None, None),
        (Some(i64::MAX), None),
    ] {
        let found = policy::timed_out_from(timeout, since);
        assert_eq!(found, expected.map(instant), "{timeout:?}");
    }
}
