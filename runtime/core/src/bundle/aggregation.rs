//! The state of a bundle, aggregated from the states of its coordinators (`StatusTransitService`).

use crate::coordinator::CoordinatorStatus as C;

/// The new state of a bundle in `status`, given the states of its submitted coordinators; ignored ones do not count.
/// `is_complete` means that all are submitted, `is_suspended` that the user has suspended the bundle.
pub fn aggregated(status: C, coordinators: &[C], is_complete: bool, is_suspended: bool) -> C {
    let counted: Vec<C> = coordinators
        .iter()
        .copied()
        .filter(|status| *status != C::Ignored)
        .collect();
    let has_errors = counted.iter().any(|status| shows_error(*status));
    let all = |of: &[C]| counted.iter().all(|status| of.contains(status));
    let any = |of: &[C]| counted.iter().any(|status| of.contains(status));
    let with = |plain, with_error| if has_errors { with_error } else { plain };
    let over = [C::Succeeded, C::DoneWithError, C::Killed, C::Failed];
    match status {
        C::Prep
        | C::PrepPaused
        | C::PrepSuspended
        | C::Succeeded
        | C::DoneWithError
        | C::Killed
        | C::Failed
        | C::Ignored => status,
        _ if is_complete && all(&over) => {
            if all(&[C::Succeeded]) {
                C::Succeeded
            } else if all(&[C::Killed]) {
                C::Killed
            } else if all(&[C::Failed]) {
                C::Failed
            } else {
                C::DoneWithError
            }
        }
        C::Paused | C::PausedWithError => with(C::Paused, C::PausedWithError),
        C::Suspended | C::SuspendedWithError if is_suspended => {
            with(C::Suspended, C::SuspendedWithError)
        }
        // A bundle follows what its coordinators have done by themselves.
        C::Running | C::RunningWithError | C::Suspended | C::SuspendedWithError => {
            let suspended = [C::Suspended, C::SuspendedWithError];
            let suspended_or_over = [&suspended[..], &over].concat();
            if is_complete && !counted.is_empty() && all(&[C::Paused, C::PausedWithError]) {
                with(C::Paused, C::PausedWithError)
            } else if is_complete && any(&suspended) && all(&suspended_or_over) {
                with(C::Suspended, C::SuspendedWithError)
            } else {
                with(C::Running, C::RunningWithError)
            }
        }
    }
}

fn shows_error(status: C) -> bool {
    match status {
        C::Killed
        | C::Failed
        | C::DoneWithError
        | C::RunningWithError
        | C::SuspendedWithError
        | C::PausedWithError => true,
        C::Prep
        | C::PrepSuspended
        | C::PrepPaused
        | C::Running
        | C::Suspended
        | C::Paused
        | C::Succeeded
        | C::Ignored => false,
    }
}
