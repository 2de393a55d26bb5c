//! The secrets of all jobs and settings that the process has read.

use std::sync::{Mutex, PoisonError};

use hpdlc_core::secrets::Secrets;

static KEPT: Mutex<Option<Secrets>> = Mutex::new(None);

/// From now on these values are masked in all output.
pub(crate) fn keep_from_all(secrets: &Secrets) {
    if secrets.is_empty() {
        return;
    }
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    kept.get_or_insert_default().extend(secrets);
}

/// Runs `mask` with all secrets known to the process.
pub(crate) fn of_process<T>(mask: impl FnOnce(&Secrets) -> T) -> T {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    mask(kept.get_or_insert_default())
}
