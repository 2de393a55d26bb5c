//! Limits of a coordinator's actions: how many there may be, which of them are skipped, and which time out.

use chrono::{DateTime, Duration, Utc};

use crate::coordinator::{
    ActionCounts, CoordinatorActionStatus, EffectiveControls, Execution, NominalAction, Schedule,
};

/// How late an action of `execution` NONE may be, in minutes, by default.
pub const USUAL_TOLERANCE: i64 = 1;

/// How many ready actions a LIFO coordinator keeps; beyond that, no more are materialized until some have started.
pub const MOST_READY: u64 = 10_000;

/// How many more actions may be materialized in addition to these.
///
/// Oozie counts only those that wait for their data, so the number of ready actions without a free place grows without bound.
/// Here these count too; but not with LIFO, where a later action would be started first.
pub fn free_to_make(controls: &EffectiveControls, actions: &ActionCounts) -> u64 {
    let n_waiting = actions.of(CoordinatorActionStatus::Waiting);
    let n_ready = actions.of(CoordinatorActionStatus::Ready);
    let throttle = u64::from(controls.throttle);
    match controls.execution {
        Execution::Fifo | Execution::LastOnly | Execution::None => {
            throttle.saturating_sub(n_waiting.saturating_add(n_ready))
        }
        Execution::Lifo => throttle
            .saturating_sub(n_waiting)
            .min(MOST_READY.saturating_sub(n_ready)),
    }
}

/// The time after which an action that is waiting or ready is skipped as too late; exactly at that time it is not yet. `end` is
/// that of the coordinator, `tolerance` in minutes.
///
/// The last action of a coordinator has no successor, even if the next one would be exactly at the end: Oozie skips it in favour
/// of an action that never comes.
pub fn skipped_after(
    controls: &EffectiveControls,
    schedule: &Schedule,
    end: DateTime<Utc>,
    action: NominalAction,
    tolerance: i64,
) -> Option<DateTime<Utc>> {
    match controls.execution {
        Execution::Fifo | Execution::Lifo => None,
        Execution::LastOnly => schedule.following(action).filter(|next| *next < end),
        Execution::None => action
            .time
            .checked_add_signed(Duration::try_minutes(tolerance)?),
    }
}

/// The time from which an action that waits since `since` has timed out: Oozie counts whole minutes, and times out when there are
/// more of them than `timeout`, one minute after that. `None` means forever.
pub fn timed_out_from(timeout: Option<i64>, since: DateTime<Utc>) -> Option<DateTime<Utc>> {
    since.checked_add_signed(Duration::try_minutes(timeout?.checked_add(1)?)?)
}
