//! Files that are there for their lock, which the kernel releases when whoever has it dies.

use std::{
    fs::{File, TryLockError},
    path::Path,
};

use crate::exit::RunError;

/// Takes a lock; `None` where somebody has it.
///
/// # Errors
///
/// The file cannot be opened or locked.
pub fn take(path: &Path) -> Result<Option<File>, RunError> {
    let failed = |error: std::io::Error| RunError::machine(format!("{}: {error}", path.display()));
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

/// Somebody has the lock. Only looks, for which it has the lock itself for a moment.
pub fn is_held(path: &Path) -> bool {
    File::open(path)
        .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}
