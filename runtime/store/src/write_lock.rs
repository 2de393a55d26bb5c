//! A fair lock for writers.
//!
//! SQLite has no queue: a process that waits for another's transaction polls with increasing intervals (backoff), and of a thousand some
//! poll at the wrong moments for minutes. A lock of the kernel has a queue, and is cheap without contention. It is not needed for
//! correctness: SQLite excludes writers without it as ever.

use std::{
    fs::File,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use hpdlc_host::home::store_location::StoreLocation;

/// The file that is locked, beside the store.
#[derive(Debug)]
pub struct WriteLock {
    /// `None` for a server, and if the file cannot be created: all processes poll then.
    file: Option<File>,
}

/// Held while this process may write.
#[derive(Debug)]
pub struct WriteLockGuard<'t>(&'t WriteLock);

impl WriteLock {
    pub fn of(store: &StoreLocation) -> WriteLock {
        let file = match store {
            StoreLocation::Sqlite(store) => File::options()
                .create(true)
                .truncate(false)
                .write(true)
                .mode(0o600)
                .open(path(store))
                .ok(),
            // A server has a queue of its own.
            StoreLocation::Postgres(_) => None,
        };
        WriteLock { file }
    }

    /// Waits until this process may write.
    pub fn wait(&self) -> WriteLockGuard<'_> {
        if let Some(file) = &self.file {
            // Without it SQLite's polling remains.
            let _ = file.lock();
        }
        WriteLockGuard(self)
    }
}

impl Drop for WriteLockGuard<'_> {
    fn drop(&mut self) {
        if let Some(file) = &self.0.file {
            let _ = file.unlock();
        }
    }
}

fn path(store: &Path) -> PathBuf {
    store.with_extension("turn")
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicUsize, Ordering},
        thread,
    };

    use super::*;

    #[test]
    fn one_process_at_a_time_has_the_lock() {
        let folder = tempfile::tempdir().unwrap();
        let store = StoreLocation::Sqlite(folder.path().join("jobs.db"));
        let n_inside = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let write_lock = WriteLock::of(&store);
                    for _ in 0..200 {
                        let _held = write_lock.wait();
                        assert_eq!(n_inside.fetch_add(1, Ordering::SeqCst), 0);
                        thread::yield_now();
                        n_inside.fetch_sub(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert!(folder.path().join("jobs.turn").exists());
    }

    #[test]
    fn where_no_file_can_be_nobody_waits() {
        let write_lock = WriteLock::of(&StoreLocation::Sqlite("/proc/nothing/jobs.db".into()));
        drop(write_lock.wait());
        drop(write_lock.wait());
    }
}
