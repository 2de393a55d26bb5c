//! Removes a folder recursively; can be canceled.
//!
//! Folders are opened relative to their parent and never through a link, so nothing outside the tree is removed, even if another
//! process replaces a folder by a link in the meantime.

use std::{
    ffi::{CStr, CString, OsStr},
    fs, io,
    os::{
        fd::{AsFd, OwnedFd},
        unix::ffi::OsStrExt,
    },
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use rustix::{
    fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, openat, statat, unlinkat},
    io::Errno,
};

#[cfg(feature = "full")]
use crate::error::Fault;
use crate::{is_missing, link_metadata};

/// Why a tree still exists, at least in part.
#[derive(Debug)]
pub enum RemoveError {
    Canceled,
    Io { path: PathBuf, error: io::Error },
}

#[cfg(feature = "full")]
impl RemoveError {
    /// Converts the error of another file system for `path`.
    pub(super) fn of(path: &Path, error: io::Error) -> RemoveError {
        if Fault::of(&error) == Some(&Fault::Canceled) {
            return RemoveError::Canceled;
        }
        RemoveError::Io {
            path: path.to_owned(),
            error,
        }
    }
}

/// Removes `path` of whatever type; a link is removed, not its target. A missing path is not an error.
///
/// # Errors
///
/// [`RemoveError::Canceled`] soon after `is_canceled` is set; or the first file or folder that cannot be removed.
pub fn remove_tree(path: &Path, is_canceled: &AtomicBool) -> Result<(), RemoveError> {
    let failure = |error| RemoveError::Io {
        path: path.to_owned(),
        error,
    };
    let Some(metadata) = link_metadata(path).map_err(failure)? else {
        return Ok(());
    };
    if !metadata.is_dir() {
        return unless_gone(fs::remove_file(path)).map_err(failure);
    }
    match open_folder(CWD, path.as_os_str().as_bytes()) {
        Ok(folder) => empty(&folder, path, is_canceled)?,
        Err(error) if is_missing(&error) => return Ok(()),
        Err(error) => return Err(failure(error)),
    }
    unless_gone(fs::remove_dir(path)).map_err(failure)
}

fn empty(folder: &OwnedFd, path: &Path, is_canceled: &AtomicBool) -> Result<(), RemoveError> {
    // The names are read first: on some file systems, removing while reading may skip entries.
    let entries = read(folder).map_err(|error| RemoveError::Io {
        path: path.to_owned(),
        error,
    })?;
    for (name, is_folder) in entries {
        if is_canceled.load(Ordering::Relaxed) {
            return Err(RemoveError::Canceled);
        }
        let child = path.join(OsStr::from_bytes(name.as_bytes()));
        let flags = if is_folder {
            match open_folder(folder, name.as_bytes()) {
                Ok(opened) => empty(&opened, &child, is_canceled)?,
                Err(error) if is_missing(&error) => continue,
                Err(error) => return Err(RemoveError::Io { path: child, error }),
            }
            AtFlags::REMOVEDIR
        } else {
            AtFlags::empty()
        };
        unless_gone(unlinkat(folder, name.as_c_str(), flags).map_err(io::Error::from))
            .map_err(|error| RemoveError::Io { path: child, error })?;
    }
    Ok(())
}

fn open_folder(parent: impl AsFd, name: &[u8]) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(parent, name, flags, Mode::empty())?)
}

/// The names in a folder, and whether each is a folder.
fn read(folder: &OwnedFd) -> io::Result<Vec<(CString, bool)>> {
    let mut entries = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if name.to_bytes() == b"." || name.to_bytes() == b".." {
            continue;
        }
        entries.push((name.to_owned(), is_folder(folder, name, entry.file_type())?));
    }
    Ok(entries)
}

fn is_folder(folder: &OwnedFd, name: &CStr, kind: FileType) -> io::Result<bool> {
    if kind != FileType::Unknown {
        return Ok(kind == FileType::Directory);
    }
    match statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(status) => Ok(FileType::from_raw_mode(status.st_mode) == FileType::Directory),
        Err(Errno::NOENT) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

fn unless_gone(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if is_missing(&error) => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink, path::Path, sync::atomic::AtomicBool};

    use super::{RemoveError, remove_tree};

    #[test]
    fn trees_go_and_what_links_point_to_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let kept = folder.path().join("kept");
        fs::create_dir(&kept).expect("made");
        fs::write(kept.join("file"), "x").expect("written");
        let tree = folder.path().join("tree");
        fs::create_dir_all(tree.join("a/b/c")).expect("made");
        fs::write(tree.join("a/b/file"), "x").expect("written");
        symlink(&kept, tree.join("a/link")).expect("linked");
        symlink(&kept, folder.path().join("link")).expect("linked");

        remove_tree(&tree, &AtomicBool::new(false)).expect("removed");
        remove_tree(&folder.path().join("link"), &AtomicBool::new(false)).expect("removed");

        assert!(!tree.exists());
        assert!(fs::symlink_metadata(folder.path().join("link")).is_err());
        assert_eq!(fs::read_to_string(kept.join("file")).expect("kept"), "x");
        remove_tree(&tree, &AtomicBool::new(false)).expect("nothing to remove is fine");
    }

    #[test]
    fn a_canceled_removal_stops() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("file"), "x").expect("written");
        let error = remove_tree(folder.path(), &AtomicBool::new(true)).expect_err("canceled");
        assert!(matches!(error, RemoveError::Canceled));
        assert!(folder.path().join("file").exists());
    }

    #[test]
    fn what_cannot_be_removed_is_named() {
        let error = remove_tree(Path::new("/proc/self/attr"), &AtomicBool::new(false))
            .expect_err("nobody removes from /proc");
        let RemoveError::Io { path, .. } = error else {
            panic!("not canceled")
        };
        assert!(path.starts_with("/proc/self/attr"), "{}", path.display());
    }
}
