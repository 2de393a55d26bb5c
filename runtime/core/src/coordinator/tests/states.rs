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

const DONE: Progress = Progress {
    is_done: true,
    is_pending: false,
};
const MORE: Progress = Progress {
    is_done: false,
    is_pending: false,
};
const PENDING: Progress = Progress {
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
        // A rerun has mended it.
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
        // Workflows that suspend themselves, when nothing else goes on.
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

fn limits(execution: Execution, concurrency: Option<u32>) -> Limits {
    Limits {
        execution,
        concurrency,
        ..Limits::default()
    }
}

#[test]
fn ready_actions_start_in_their_order() {
    let ready: Vec<Action> = [3, 1, 2]
        .into_iter()
        .map(|number| Action {
            number,
            time: instant("2026-01-01T00:00") + chrono::Duration::minutes(5 * number as i64),
        })
        .collect();
    for (execution, concurrency, n_running, expected) in [
        (Execution::Fifo, Some(2), 0, &[1, 2][..]),
        (Execution::Fifo, Some(2), 1, &[1]),
        (Execution::Fifo, Some(2), 5, &[]),
        (Execution::Fifo, Some(0), 0, &[]),
        (Execution::Fifo, None, 100, &[1, 2, 3]),
        (Execution::Lifo, Some(2), 0, &[3, 2]),
        (Execution::LastOnly, Some(1), 0, &[3]),
        (Execution::None, Some(1), 0, &[3]),
    ] {
        let started: Vec<u64> = to_start(&limits(execution, concurrency), &ready, n_running)
            .iter()
            .map(|action| action.number)
            .collect();
        assert_eq!(
            started, expected,
            "{execution:?} {concurrency:?} {n_running}"
        );
    }
    assert_eq!(free_to_make(&Limits::default(), 5), 7);
    assert_eq!(free_to_make(&Limits::default(), 13), 0);
}

#[test]
fn late_actions_are_skipped() {
    let schedule = Schedule {
        frequency: FrequencyText::plain("10").read().expect("is a frequency"),
        start: instant("2026-01-01T00:00"),
        end: instant("2026-01-01T00:30"),
        zone: Zone::UTC,
        processing_zone: ProcessingZone::UTC,
    };
    for (execution, number, now, expected) in [
        (Execution::Fifo, 1, "2026-01-02T00:00", false),
        (Execution::Lifo, 1, "2026-01-02T00:00", false),
        (Execution::LastOnly, 1, "2026-01-01T00:10", false),
        (Execution::LastOnly, 1, "2026-01-01T00:11", true),
        // The last one: there is none at the end.
        (Execution::LastOnly, 3, "2026-01-02T00:00", false),
        (Execution::None, 1, "2026-01-01T00:01", false),
        (Execution::None, 1, "2026-01-01T00:02", true),
        (Execution::None, 3, "2026-01-02T00:00", true),
    ] {
        let action = schedule
            .actions()
            .find(|action| action.number == number)
            .expect("is there");
        let found = is_skipped(
            &limits(execution, None),
            &schedule,
            action,
            instant(now),
            USUAL_TOLERANCE,
        );
        assert_eq!(found, expected, "{execution:?} {number} at {now}");
    }
}

#[test]
fn actions_time_out_after_whole_minutes() {
    let nominal = instant("2026-01-01T00:00");
    for (timeout, created, seconds, expected) in [
        (Some(5), 0, 5 * 60 + 59, false),
        (Some(5), 0, 6 * 60, true),
        (Some(0), 0, 59, false),
        (Some(0), 0, 60, true),
        // One that was made late has its time all the same; one that was made early, from its own on.
        (Some(5), 60, 64 * 60, false),
        (Some(5), 60, 66 * 60, true),
        (Some(5), -60, 5 * 60, false),
        (None, 0, 1_000_000_000, false),
    ] {
        let limits = Limits {
            timeout,
            ..Limits::default()
        };
        let found = is_timed_out(
            &limits,
            nominal,
            nominal + chrono::Duration::minutes(created),
            nominal + chrono::Duration::seconds(seconds),
        );
        assert_eq!(found, expected, "{timeout:?} {created} {seconds}");
    }
}
