//! File locks that keep concurrent hpdlc processes apart in the cache. The kernel releases a lock when its process dies.

use std::{
    fs::{self, File, TryLockError},
    os::unix::fs::MetadataExt,
    path::Path,
    time::SystemTime,
};

use crate::driver::{Failure, progress::ProgressLines};

/// A held lock, which is released on drop.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

impl Lock {
    /// Records the last use of what the lock guards in the modification time of the lock file.
    pub fn note_use(&self) {
        // If this fails, the guarded files only appear unused a little earlier.
        let _ = self.file.set_modified(SystemTime::now());
    }
}

/// The lock on the file at `path`, unless another process holds it or the file is missing.
pub fn if_free(path: &Path) -> Option<Lock> {
    let file = File::options().read(true).write(true).open(path).ok()?;
    file.try_lock().ok()?;
    is_at(&file, path).then_some(Lock { file })
}

/// Waits for an exclusive lock on the file at `path`.
///
/// # Errors
///
/// The file cannot be created.
pub fn exclusive(path: &Path, progress: &ProgressLines) -> Result<Lock, Failure> {
    take(path, progress, File::try_lock, File::lock)
}

/// Waits for a shared lock on the file at `path`.
///
/// # Errors
///
/// The file cannot be created.
pub fn shared(path: &Path, progress: &ProgressLines) -> Result<Lock, Failure> {
    take(path, progress, File::try_lock_shared, File::lock_shared)
}

fn take(
    path: &Path,
    progress: &ProgressLines,
    try_lock: fn(&File) -> Result<(), TryLockError>,
    lock: fn(&File) -> std::io::Result<()>,
) -> Result<Lock, Failure> {
    let failed = |error: &std::io::Error| Failure::io("lock", path, error);
    loop {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| Failure::io("create", folder, &error))?;
        }
        let file = File::options()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(path)
            .map_err(|error| failed(&error))?;
        match try_lock(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                progress.say("Waiting", "for another hpdlc that uses the same cache");
                lock(&file).map_err(|error| failed(&error))?;
            }
            Err(TryLockError::Error(error)) => return Err(failed(&error)),
        }
        // The cache may have been removed while this process waited: the lock of a deleted file excludes no other process.
        if is_at(&file, path) {
            return Ok(Lock { file });
        }
    }
}

/// Whether the path still refers to this file.
fn is_at(file: &File, path: &Path) -> bool {
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let there = fs::metadata(path).map(identity);
    let ours = file.metadata().map(identity);
    matches!((ours, there), (Ok(ours), Ok(there)) if ours == there)
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicBool, Ordering},
        thread,
        time::Duration,
    };

    use super::*;

    #[test]
    fn who_waits_in_a_cache_that_is_removed_locks_the_next_one() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("cache/lock");
        let progress = ProgressLines::silent();
        let first = exclusive(&path, &progress).expect("locks");
        let second = thread::scope(|scope| {
            let waiting = scope.spawn(|| exclusive(&path, &progress).expect("locks"));
            thread::sleep(Duration::from_millis(50));
            fs::remove_dir_all(folder.path().join("cache")).expect("removes");
            drop(first);
            waiting.join().expect("the thread ends")
        });
        assert!(if_free(&path).is_none(), "the file that is there is locked");
        drop(second);
        assert!(if_free(&path).is_some());
    }

    #[test]
    fn exclusive_lock_waits_for_shared_ones() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("new/lock");
        let progress = ProgressLines::silent();
        let first = shared(&path, &progress).expect("locks");
        let second = shared(&path, &progress).expect("locks beside another shared one");
        let is_free = AtomicBool::new(false);
        thread::scope(|scope| {
            let waiting = scope.spawn(|| {
                let _lock = exclusive(&path, &progress).expect("locks");
                is_free.load(Ordering::SeqCst)
            });
            thread::sleep(Duration::from_millis(50));
            drop(first);
            is_free.store(true, Ordering::SeqCst);
            drop(second);
            assert!(
                waiting.join().expect("the thread ends"),
                "the lock was given too early"
            );
        });
    }
}
