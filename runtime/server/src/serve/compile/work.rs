//! The private folder of one compilation, and the lock that lets one process at a time compile an application.
//!
//! It lies in the state folder, which is the server's alone, and not in a folder that others may write (CVE-2020-35451). It is removed when
//! the compilation ends; what a killed server leaves is removed by the next one.

use std::{
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use hpdlc_host::home::{Home, lock};
use sha2::{Digest, Sha256};

const LOOK_AGAIN: Duration = Duration::from_millis(10);
const LOCK: &str = "lock";

/// A locked folder. The lock is released when the process dies.
#[derive(Debug)]
pub(crate) struct Work {
    folder: PathBuf,
    lock_path: PathBuf,
    _lock: File,
}

/// The folder of everything that belongs to compiling, in the state folder.
pub(crate) fn root(home: &Home) -> PathBuf {
    home.root().join("compile")
}

/// The name of a folder or file for an application.
pub(crate) fn name_of(uri: &str) -> String {
    hex::encode(Sha256::digest(uri.as_bytes()))[..32].to_owned()
}

/// Puts a file in the place of another one, whole or not at all. Its folder is made if it is missing.
pub(crate) fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    make_private(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

/// Makes a folder that only this user may enter, and those above it.
pub(crate) fn make_private(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
}

impl Work {
    /// An empty folder, always the same for `name`, so that the compiler recognizes what it compiled before. `None` if another process
    /// has it until `deadline`.
    ///
    /// # Errors
    ///
    /// It cannot be made or emptied.
    pub(crate) fn begin(home: &Home, name: &str, deadline: Instant) -> io::Result<Option<Work>> {
        let root = root(home);
        make_private(&root)?;
        let lock_path = root.join(format!("{name}.{LOCK}"));
        let lock = loop {
            if let Some(lock) = lock::attempt(&lock_path)? {
                break lock;
            }
            if Instant::now() >= deadline {
                return Ok(None);
            }
            thread::sleep(LOOK_AGAIN);
        };
        let work = Work {
            folder: root.join(format!("{name}.work")),
            lock_path,
            _lock: lock,
        };
        remove(&work.folder)?;
        make_private(&work.folder)?;
        Ok(Some(work))
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        // What stays is removed by the next who has the lock, or when a server starts.
        let _ = remove(&self.folder);
        let _ = fs::remove_file(&self.lock_path);
    }
}

fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Removes the folders of compilations whose process is gone.
pub(crate) fn sweep(home: &Home) {
    let root = root(home);
    for entry in fs::read_dir(&root).into_iter().flatten().flatten() {
        let file = entry.file_name();
        let Some((name, "work" | LOCK)) = file.to_str().and_then(|name| name.rsplit_once('.'))
        else {
            continue;
        };
        if let Ok(Some(work)) = Work::begin(home, name, Instant::now()) {
            drop(work);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn begin(home: &Home, name: &str) -> Option<Work> {
        Work::begin(home, name, Instant::now()).unwrap()
    }

    /// CVE-2020-35451: nobody else can put files into the folder of a compilation, or know its place before.
    #[test]
    fn the_folder_is_private_and_gone_afterwards() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        let work = begin(&home, "a").unwrap();
        for path in [root(&home).as_path(), work.folder()] {
            let mode = fs::metadata(path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o700, "{}", path.display());
        }
        assert!(work.folder().starts_with(home.root()));
        fs::write(work.folder().join("file"), "").unwrap();
        assert!(begin(&home, "a").is_none(), "one at a time");
        assert!(begin(&home, "b").is_some());
        drop(work);
        assert_eq!(fs::read_dir(root(&home)).unwrap().count(), 0);
    }

    #[test]
    fn a_killed_server_leaves_nothing_for_long() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        let running = begin(&home, "running").unwrap();
        let dead = root(&home).join("dead.work");
        fs::create_dir(&dead).unwrap();
        fs::write(dead.join("file"), "").unwrap();
        fs::write(root(&home).join("dead.lock"), "").unwrap();
        fs::create_dir(root(&home).join("known")).unwrap();
        sweep(&home);
        assert!(running.folder().is_dir());
        assert!(!dead.exists());
        assert!(root(&home).join("known").is_dir());
        drop(running);
        assert_eq!(fs::read_dir(root(&home)).unwrap().count(), 1);
    }
}
