//! Taking turns at writing.
//!
//! SQLite has no queue: who waits for another's transaction looks again and again, at longer and longer intervals, and of a
//! thousand that do some look at the wrong moments for minutes. A lock of the kernel has one, which costs nothing where nobody
//! waits. It decides nothing: whoever writes without a turn is kept apart by SQLite as ever.

use std::{
    fs::File,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

/// The file whose lock is the turn, beside the store.
#[derive(Debug)]
pub struct WriteLock {
    /// None where there can be no such file: everybody looks again and again then.
    file: Option<File>,
}

/// WriteLockGuard while it is somebody's turn.
#[derive(Debug)]
pub struct WriteLockGuard<'t>(&'t WriteLock);

impl WriteLock {
    pub fn of(store: &Path) -> WriteLock {
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            .open(path(store));
        WriteLock { file: file.ok() }
    }

    /// Waits for the turn of this process.
    pub fn wait(&self) -> WriteLockGuard<'_> {
        if let Some(file) = &self.file {
            // Without it the others are waited for by looking.
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
    fn a_turn_is_one_process_s_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("jobs.db");
        let n_inside = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let turn = WriteLock::of(&store);
                    for _ in 0..200 {
                        let _held = turn.wait();
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
        let turn = WriteLock::of(Path::new("/proc/nothing/jobs.db"));
        drop(turn.wait());
        drop(turn.wait());
    }
}
