//! Time limits of an action.

use std::sync::atomic::{AtomicBool, Ordering};

use hpdlc_launcher::TimeLimit;

use super::super::{FsFailure, in_time};
use crate::fs::CANCELED;

const LONG: TimeLimit = TimeLimit {
    seconds: 600,
    grace: 0,
};

fn code(result: Result<(), FsFailure>) -> Option<String> {
    match result {
        Ok(()) => None,
        Err(FsFailure::Action(error)) => Some(error.code),
        Err(FsFailure::Machine(error)) => Some(error.to_string()),
    }
}

/// Work that runs until it is stopped.
fn endless(is_canceled: &AtomicBool) -> Result<(), FsFailure> {
    while !is_canceled.load(Ordering::Relaxed) {
        std::thread::yield_now();
    }
    Err(FsFailure::canceled())
}

#[test]
fn what_takes_too_long_is_stopped() {
    let limit = TimeLimit { seconds: 1, ..LONG };
    let is_canceled = AtomicBool::new(false);
    let ended = in_time(limit, &is_canceled, endless);
    assert_eq!(code(ended).as_deref(), Some("HPDL_TIMEOUT"));
}

#[test]
fn what_ends_in_time_waits_for_nothing() {
    let is_canceled = AtomicBool::new(false);
    assert_eq!(code(in_time(LONG, &is_canceled, |_| Ok(()))), None);
    let failed = in_time(LONG, &is_canceled, |_| Err(FsFailure::new("FS004", "")));
    assert_eq!(code(failed).as_deref(), Some("FS004"));
    assert!(!is_canceled.load(Ordering::Relaxed));
}

#[test]
fn what_somebody_cancels_is_canceled() {
    let is_canceled = AtomicBool::new(true);
    let ended = in_time(LONG, &is_canceled, endless);
    assert_eq!(code(ended).as_deref(), Some(CANCELED));
}
