//! Lock files, whose lock the kernel releases when the owning process ends.
//!
//! A lock belongs to the file, not to its name: a process that has opened a file may lock one that has been removed in the
//! meantime, while another process locks the next file of that name. So the locked file is compared with the one that the name
//! refers to, and the lock is retried if they differ. Only the holder of the lock may remove the file.

use std::{
    fs::{self, File, TryLockError},
    io,
    os::unix::fs::MetadataExt,
    path::Path,
};

use crate::exit::RunError;

/// Takes a lock; `None` if it is held.
///
/// # Errors
///
/// If the file cannot be opened or locked.
pub fn take(path: &Path) -> Result<Option<File>, RunError> {
    attempt(path).map_err(|error| RunError::machine(format!("{}: {error}", path.display())))
}

/// As [`take`].
///
/// # Errors
///
/// If the file cannot be opened or locked.
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
/// If the file cannot be opened or locked.
pub fn wait(path: &Path) -> io::Result<File> {
    wait_by(path, File::lock)
}

/// Waits for a shared lock.
///
/// # Errors
///
/// If the file cannot be opened or locked.
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

/// Whether the lock is held. The check itself holds it for a moment; it creates no file.
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

/// Whether a path still refers to this file.
///
/// # Errors
///
/// If the path cannot be accessed.
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

    /// Threads that take the lock and either remove the file, as a purge does, or leave it.
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
                // Enough time to open the first file; if it is not, the test covers less.
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
