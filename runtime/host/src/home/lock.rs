//! Files that are there for their lock, which the kernel releases when whoever has it dies.
//!
//! A lock is on the file, not on its name: whoever has opened a file may get the lock of one that was removed meanwhile, beside
//! somebody who has the lock of the next file of that name. So what was locked is compared with what the name means then, and
//! looked at again where they differ. Only who has the lock of a file may remove it.

use std::{
    fs::{self, File, TryLockError},
    io,
    os::unix::fs::MetadataExt,
    path::Path,
};

use crate::exit::RunError;

/// Takes a lock; `None` where somebody has it.
///
/// # Errors
///
/// The file cannot be opened or locked.
pub fn take(path: &Path) -> Result<Option<File>, RunError> {
    attempt(path).map_err(|error| RunError::machine(format!("{}: {error}", path.display())))
}

/// As [`take`].
///
/// # Errors
///
/// The file cannot be opened or locked.
pub fn attempt(path: &Path) -> io::Result<Option<File>> {
    loop {
        let file = open(path)?;
        let is_taken = match file.try_lock() {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => false,
            Err(TryLockError::Error(error)) => return Err(error),
        };
        if is_at(&file, path)? {
            return Ok(is_taken.then_some(file));
        }
    }
}

/// Waits for a lock.
///
/// # Errors
///
/// The file cannot be opened or locked.
pub fn wait(path: &Path) -> io::Result<File> {
    wait_by(path, File::lock)
}

/// Waits for a lock that others may have at the same time, who take it in this way too.
///
/// # Errors
///
/// The file cannot be opened or locked.
pub fn wait_shared(path: &Path) -> io::Result<File> {
    wait_by(path, File::lock_shared)
}

fn wait_by(path: &Path, lock: fn(&File) -> io::Result<()>) -> io::Result<File> {
    loop {
        let file = open(path)?;
        lock(&file)?;
        if is_at(&file, path)? {
            return Ok(file);
        }
    }
}

/// Somebody has the lock. Only looks, for which it has the lock itself for a moment; makes no file.
pub fn is_held(path: &Path) -> bool {
    loop {
        let Ok(file) = File::open(path) else {
            return false;
        };
        let is_held = matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock));
        match is_at(&file, path) {
            Ok(true) => return is_held,
            Ok(false) => {}
            Err(_) => return false,
        }
    }
}

/// Whether a path means this file still.
///
/// # Errors
///
/// The path cannot be looked at.
pub fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let ours = file.metadata()?;
    match fs::metadata(path) {
        Ok(there) => Ok((ours.dev(), ours.ino()) == (there.dev(), there.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn open(path: &Path) -> io::Result<File> {
    File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicUsize, Ordering},
        thread,
        time::Duration,
    };

    use super::*;

    /// Threads that take the lock and remove the file, as a purge does, or leave it.
    #[test]
    fn a_lock_is_had_once_while_others_remove_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let n_inside = AtomicUsize::new(0);
        let n_taken = AtomicUsize::new(0);
        let inside = |file: File, removes: bool| {
            assert_eq!(n_inside.fetch_add(1, Ordering::SeqCst), 0, "two have it");
            thread::yield_now();
            assert!(is_held(&path), "the file that has the name is locked");
            n_taken.fetch_add(1, Ordering::Relaxed);
            n_inside.fetch_sub(1, Ordering::SeqCst);
            if removes {
                fs::remove_file(&path).unwrap();
            }
            drop(file);
        };
        thread::scope(|scope| {
            for turn in 0..4 {
                let (path, inside) = (&path, &inside);
                scope.spawn(move || {
                    for round in 0..2_000 {
                        let removes = (turn + round) % 2 == 0;
                        if turn == 0 {
                            inside(wait(path).unwrap(), removes);
                        } else if let Some(file) = attempt(path).unwrap() {
                            inside(file, removes);
                        }
                    }
                });
            }
        });
        assert!(n_taken.load(Ordering::Relaxed) >= 2_000);
    }

    #[test]
    fn who_waits_for_a_file_that_is_removed_gets_the_next_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        for wait in [wait, wait_shared] {
            let first = attempt(&path).unwrap().unwrap();
            let second = thread::scope(|scope| {
                let waits = scope.spawn(|| wait(&path).unwrap());
                // Long enough for it to be at the first file; where it does not, the test shows less.
                thread::sleep(Duration::from_millis(50));
                fs::remove_file(&path).unwrap();
                drop(first);
                waits.join().unwrap()
            });
            assert!(is_at(&second, &path).unwrap());
            assert!(attempt(&path).unwrap().is_none());
        }
    }

    #[test]
    fn looking_makes_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        assert!(!is_held(&path));
        assert!(!path.exists());
        let held = attempt(&path).unwrap();
        assert!(is_held(&path));
        drop(held);
        assert!(!is_held(&path));
    }
}
