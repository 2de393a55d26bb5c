//! Which of the actions of a coordinator start, are skipped, and have waited for too long.

use chrono::{DateTime, Duration, Utc};

use crate::coordinator::{Action, Execution, Limits, Schedule};

/// How late an action of a coordinator of `execution` NONE may be, in minutes, unless it is configured otherwise.
pub const USUAL_TOLERANCE: i64 = 1;

/// How many more actions may be made while so many wait. What is ready, running or suspended does not count.
pub fn free_to_make(limits: &Limits, n_waiting: u64) -> u64 {
    u64::from(limits.throttle).saturating_sub(n_waiting)
}

/// Which of the ready actions start while `n_running` are submitted or running; suspended ones hold no place. An older one
/// that is not ready holds up nobody.
pub fn to_start(limits: &Limits, ready: &[Action], n_running: u64) -> Vec<Action> {
    let mut ready = ready.to_vec();
    match limits.execution {
        Execution::Fifo => ready.sort_by_key(|action| action.number),
        Execution::Lifo | Execution::LastOnly | Execution::None => {
            ready.sort_by_key(|action| std::cmp::Reverse(action.number));
        }
    }
    if let Some(most) = limits.concurrency {
        let free = u64::from(most).saturating_sub(n_running);
        ready.truncate(usize::try_from(free).unwrap_or(usize::MAX));
    }
    ready
}

/// Whether an action that is waiting or ready is left out for being late. `tolerance` is in minutes.
///
/// The last action of a coordinator has none after it, also where a next one would be exactly at the end: Oozie skips
/// that one for an action that never comes.
pub fn is_skipped(
    limits: &Limits,
    schedule: &Schedule,
    action: Action,
    now: DateTime<Utc>,
    tolerance: i64,
) -> bool {
    match limits.execution {
        Execution::Fifo | Execution::Lifo => false,
        Execution::LastOnly => {
            let just_after = action.time + Duration::minutes(1);
            let mut later = schedule.actions_from(just_after);
            later.next().is_some_and(|next| now > next.time)
        }
        Execution::None => Duration::try_minutes(tolerance)
            .and_then(|tolerance| action.time.checked_add_signed(tolerance))
            .is_some_and(|latest| now > latest),
    }
}

/// Whether an action that waits, made at `created`, has waited for longer than it may: counted in whole minutes from its
/// time or from when it was made, whichever is later.
pub fn is_timed_out(
    limits: &Limits,
    nominal: DateTime<Utc>,
    created: DateTime<Utc>,
    now: DateTime<Utc>,
) -> bool {
    let minutes = (now - nominal.max(created)).num_minutes();
    limits.timeout.is_some_and(|most| minutes > most)
}
