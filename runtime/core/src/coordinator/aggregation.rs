//! The state of a coordinator, aggregated from the states of its actions (`StatusTransitService`).
//!
//! Actions are counted, not listed, so that a coordinator of many years costs no more than a new one.

use crate::coordinator::status::{CoordinatorActionStatus, CoordinatorStatus};

/// How many actions are in each state. Ignored ones are never counted in the total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ActionCounts {
    /// In the order of [`CoordinatorActionStatus::ALL`], which is the declaration order.
    counts: [u64; CoordinatorActionStatus::ALL.len()],
}

impl ActionCounts {
    /// Adds `n` actions in a state.
    pub fn add(&mut self, status: CoordinatorActionStatus, n: u64) {
        let count = &mut self.counts[status as usize];
        *count = count.saturating_add(n);
    }

    /// Subtracts one action in a state.
    pub fn remove(&mut self, status: CoordinatorActionStatus) {
        let count = &mut self.counts[status as usize];
        *count = count.saturating_sub(1);
    }

    pub fn of(&self, status: CoordinatorActionStatus) -> u64 {
        self.counts[status as usize]
    }

    fn sum(&self, statuses: &[CoordinatorActionStatus]) -> u64 {
        statuses.iter().map(|status| self.of(*status)).sum()
    }

    /// All but the ignored ones.
    fn total(&self) -> u64 {
        self.counts.iter().sum::<u64>() - self.of(CoordinatorActionStatus::Ignored)
    }

    fn has_errors(&self) -> bool {
        self.sum(&ERRORS) > 0
    }
}

const ERRORS: [CoordinatorActionStatus; 3] = [
    CoordinatorActionStatus::Killed,
    CoordinatorActionStatus::Failed,
    CoordinatorActionStatus::TimedOut,
];

/// What the state of a coordinator depends on in addition to its actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AggregationProgress {
    /// No more actions will be materialized.
    pub is_done: bool,
    /// A command to a workflow is not confirmed yet.
    pub is_pending: bool,
}

/// The new state of a coordinator in `status`, given its actions; unchanged if they have no effect.
///
/// A coordinator at rest keeps its state: one that has ended, except killed and failed ones that still have running actions; one
/// that was suspended or paused by the user only shows whether there were errors.
pub fn aggregated(
    status: CoordinatorStatus,
    actions: &ActionCounts,
    progress: AggregationProgress,
) -> CoordinatorStatus {
    let has_errors = actions.has_errors();
    let with = |plain, with_error| if has_errors { with_error } else { plain };
    match status {
        CoordinatorStatus::Prep
        | CoordinatorStatus::PrepSuspended
        | CoordinatorStatus::PrepPaused
        | CoordinatorStatus::Killed
        | CoordinatorStatus::Failed
        | CoordinatorStatus::Succeeded
        | CoordinatorStatus::DoneWithError
        | CoordinatorStatus::Ignored => status,
        CoordinatorStatus::Running
        | CoordinatorStatus::RunningWithError
        | CoordinatorStatus::Suspended
        | CoordinatorStatus::SuspendedWithError
        | CoordinatorStatus::Paused
        | CoordinatorStatus::PausedWithError
            if progress.is_done && ended(actions).is_some() =>
        {
            ended(actions).unwrap_or(status)
        }
        CoordinatorStatus::Paused | CoordinatorStatus::PausedWithError => with(
            CoordinatorStatus::Paused,
            CoordinatorStatus::PausedWithError,
        ),
        CoordinatorStatus::Suspended | CoordinatorStatus::SuspendedWithError => with(
            CoordinatorStatus::Suspended,
            CoordinatorStatus::SuspendedWithError,
        ),
        CoordinatorStatus::Running | CoordinatorStatus::RunningWithError => {
            if progress.is_done && !progress.is_pending && is_suspended_below(actions) {
                with(
                    CoordinatorStatus::Suspended,
                    CoordinatorStatus::SuspendedWithError,
                )
            } else {
                with(
                    CoordinatorStatus::Running,
                    CoordinatorStatus::RunningWithError,
                )
            }
        }
    }
}

/// The final state of a coordinator with these actions; `None` while one of them is still active.
fn ended(actions: &ActionCounts) -> Option<CoordinatorStatus> {
    let total = actions.total();
    let good = actions.sum(&[
        CoordinatorActionStatus::Succeeded,
        CoordinatorActionStatus::Skipped,
    ]);
    if good + actions.sum(&ERRORS) < total {
        return None;
    }
    Some(if good == total {
        CoordinatorStatus::Succeeded
    } else if actions.of(CoordinatorActionStatus::Killed) == total {
        CoordinatorStatus::Killed
    } else if actions.of(CoordinatorActionStatus::Failed) == total {
        CoordinatorStatus::Failed
    } else {
        CoordinatorStatus::DoneWithError
    })
}

/// Whether the workflows have suspended themselves and no other action is active.
fn is_suspended_below(actions: &ActionCounts) -> bool {
    let suspended = actions.of(CoordinatorActionStatus::Suspended);
    let over = actions.of(CoordinatorActionStatus::Succeeded) + actions.sum(&ERRORS);
    suspended > 0 && suspended + over == actions.total()
}
