//! How many actions of a coordinator there may be, which of them are skipped, and which have waited for too long.

use chrono::{DateTime, Duration, Utc};

use crate::coordinator::{
    Action, ActionCounts, CoordinatorActionStatus, Execution, Limits, Schedule,
};

/// How late an action of a coordinator of `execution` NONE may be, in minutes, unless it is configured otherwise.
pub const USUAL_TOLERANCE: i64 = 1;

/// How many ready actions a LIFO coordinator keeps; then no more are made until some have started.
pub const MOST_READY: u64 = 10_000;

/// How many more actions may be made besides these.
///
/// Oozie counts those alone that wait for their data, and so makes more and more that are ready and have no place to run in. Here
/// these count too; but not with LIFO, which starts another one when there are more to choose from.
pub fn free_to_make(limits: &Limits, actions: &ActionCounts) -> u64 {
    let n_waiting = actions.of(CoordinatorActionStatus::Waiting);
    let n_ready = actions.of(CoordinatorActionStatus::Ready);
    let throttle = u64::from(limits.throttle);
    match limits.execution {
        Execution::Fifo | Execution::LastOnly | Execution::None => {
            throttle.saturating_sub(n_waiting.saturating_add(n_ready))
        }
        Execution::Lifo => throttle
            .saturating_sub(n_waiting)
            .min(MOST_READY.saturating_sub(n_ready)),
    }
}

/// The time after which an action that is waiting or ready is left out for being late; at that time itself it is not yet. `end`
/// is that of the coordinator, `tolerance` in minutes.
///
/// The last action of a coordinator has none after it, also where a next one would be exactly at the end: Oozie skips
/// that one for an action that never comes.
pub fn skipped_after(
    limits: &Limits,
    schedule: &Schedule,
    end: DateTime<Utc>,
    action: Action,
    tolerance: i64,
) -> Option<DateTime<Utc>> {
    match limits.execution {
        Execution::Fifo | Execution::Lifo => None,
        Execution::LastOnly => schedule.following(action).filter(|next| *next < end),
        Execution::None => action
            .time
            .checked_add_signed(Duration::try_minutes(tolerance)?),
    }
}

/// The time from which on an action that waits since `since` has waited for too long: as Oozie counts whole minutes, and times
/// out where there are more of them than `timeout`, one minute after that. Nothing is forever.
pub fn timed_out_from(timeout: Option<i64>, since: DateTime<Utc>) -> Option<DateTime<Utc>> {
    since.checked_add_signed(Duration::try_minutes(timeout?.checked_add(1)?)?)
}
