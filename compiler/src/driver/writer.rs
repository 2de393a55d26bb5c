//! Atomic file writes: no other process sees an incomplete file, and only changed files are touched.

use std::{
    collections::BTreeSet,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Writes `bytes` to a temporary file beside `path` and renames it. Folders are created.
///
/// # Errors
///
/// The system call fails; `path` is then unchanged.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = temporary_beside(path)?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

/// Like [`replace`], for an existing file: it keeps its permissions, and its owner where the system allows that.
///
/// # Errors
///
/// The system call fails; `path` is then unchanged.
pub fn replace_contents(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let metadata = fs::metadata(path)?;
    let mut file = temporary_beside(path)?;
    file.write_all(bytes)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        // Only root may change the owner; other users own what they edit, or become its owner.
        drop(fchown(
            file.as_file(),
            Some(metadata.uid()),
            Some(metadata.gid()),
        ));
    }
    // After the owner, because changing that clears the setuid bits.
    file.as_file().set_permissions(metadata.permissions())?;
    file.persist(path)?;
    Ok(())
}

/// Like [`replace`], but does not touch a file with the same bytes, so that its modification time is kept. Returns whether
/// it wrote.
///
/// # Errors
///
/// The system call fails.
pub fn replace_if_changed(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    if fs::metadata(path).is_ok_and(|metadata| usize::try_from(metadata.len()) == Ok(bytes.len()))
        && fs::read(path).is_ok_and(|present| present == bytes)
    {
        return Ok(false);
    }
    replace(path, bytes)?;
    Ok(true)
}

/// Copies the file `from` to `to`, with its permissions, atomically.
///
/// # Errors
///
/// The system call fails; `to` is then unchanged.
pub fn install(from: &Path, to: &Path) -> io::Result<()> {
    let folder = to
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let temporary = temporary_beside(to)?.into_temp_path();
    fs::copy(from, &temporary)?;
    temporary.persist(to)?;
    Ok(())
}

/// Removes every file below `folder` that is not in `kept` (relative paths), and folders that become empty.
///
/// # Errors
///
/// The system call fails.
pub fn remove_others(folder: &Path, kept: &BTreeSet<PathBuf>) -> io::Result<()> {
    remove_below(folder, Path::new(""), kept).map(drop)
}

/// Returns whether the folder is empty afterwards.
fn remove_below(root: &Path, relative: &Path, kept: &BTreeSet<PathBuf>) -> io::Result<bool> {
    let mut is_empty = true;
    let entries = match fs::read_dir(root.join(relative)) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let entry = entry?;
        let path = relative.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            if remove_below(root, &path, kept)? {
                fs::remove_dir(root.join(&path))?;
            } else {
                is_empty = false;
            }
        } else if kept.contains(&path) {
            is_empty = false;
        } else {
            fs::remove_file(root.join(&path))?;
        }
    }
    Ok(is_empty)
}

fn temporary_beside(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".hpdlc-");
    #[cfg(unix)]
    {
        // The default mode of `File::create`; the umask still applies.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::stamp::FileState;

    #[test]
    fn equal_bytes_leave_the_file_alone() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a/b.rs");
        assert!(replace_if_changed(&path, b"one").expect("writes"));
        let state = FileState::of(&path).expect("exists");
        assert!(!replace_if_changed(&path, b"one").expect("reads"));
        assert_eq!(FileState::of(&path), Some(state));
        assert!(replace_if_changed(&path, b"two").expect("writes"));
        assert_eq!(fs::read(&path).expect("reads"), b"two");
    }

    #[test]
    fn failed_replacement_leaves_nothing_behind() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("taken");
        fs::create_dir(&path).expect("creates");
        fs::write(path.join("inside"), "").expect("writes");
        assert!(replace(&path, b"x").is_err());
        let names: Vec<_> = fs::read_dir(folder.path()).expect("reads").collect();
        assert_eq!(names.len(), 1, "{names:?}");
    }

    #[test]
    fn files_that_are_not_kept_go_with_their_folders() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for name in ["keep/a", "keep/b", "old/deep/c"] {
            replace(&folder.path().join(name), b"").expect("writes");
        }
        remove_others(folder.path(), &BTreeSet::from([PathBuf::from("keep/a")])).expect("removes");
        assert!(folder.path().join("keep/a").is_file());
        assert!(!folder.path().join("keep/b").exists());
        assert!(!folder.path().join("old").exists());
    }

    #[cfg(unix)]
    #[test]
    fn installed_copy_stays_executable() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let from = folder.path().join("from");
        fs::write(&from, "#!").expect("writes");
        fs::set_permissions(&from, fs::Permissions::from_mode(0o755)).expect("changes");
        let to = folder.path().join("to");
        install(&from, &to).expect("copies");
        let mode = fs::metadata(&to).expect("exists").permissions().mode();
        assert_eq!(mode & 0o777, 0o755);
    }
}
