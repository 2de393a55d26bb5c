//! The file system interface of the runtime.
//!
//! Paths are absolute and normalized, without scheme and host. Calls are blocking and must be made on a thread that may block. A
//! long call ends soon after the cancellation flag of its file system is set. If a file system does not support an operation at
//! all, the error's [`Fault`](crate::error::Fault) says so.

use std::{
    ffi::OsString,
    fs::File,
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use crate::remove::RemoveError;

/// The status of a file or folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryStatus {
    pub is_folder: bool,
    /// A symbolic link itself; only [`FileSystem::link_status`] returns one.
    pub is_link: bool,
    /// Bytes; 0 for a folder.
    pub length: i64,
    /// Bytes; 0 for a folder.
    pub block_size: i64,
    /// Permission bits with the sticky bit, if the file system has them.
    pub mode: Option<u32>,
    pub group: Option<FileGroup>,
    /// When it was changed last, in milliseconds since 1970, if the file system says so.
    pub modified: Option<i64>,
}

/// One entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirEntry {
    pub name: OsString,
    pub is_folder: bool,
    pub is_link: bool,
    /// Bytes; `None` if the listing does not contain it.
    pub length: Option<i64>,
}

/// A user group: by id for local files, otherwise by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileGroup {
    Id(u32),
    Name(String),
}

/// The number of bytes of a long file that are transferred at once: each part has its own time limit.
pub const PART: u64 = 8 * 1024 * 1024;

/// The next part of a file to send, of at most `length` bytes; empty at its end.
///
/// # Errors
///
/// If it cannot be read.
pub fn next_part(file: &mut File, length: u64) -> io::Result<Vec<u8>> {
    let mut part = Vec::new();
    file.take(length).read_to_end(&mut part)?;
    Ok(part)
}

fn size(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

/// One file system, for one user.
pub trait FileSystem {
    /// Scheme and host. A rename is possible only within one file system.
    fn name(&self) -> &str;

    /// The status of `path`, following symbolic links; `None` if it does not exist.
    fn status(&self, path: &Path) -> io::Result<Option<EntryStatus>>;

    /// As [`FileSystem::status`], without following a symbolic link.
    fn link_status(&self, path: &Path) -> io::Result<Option<EntryStatus>> {
        self.status(path)
    }

    /// The direct entries of a folder, unordered; `None` if the folder does not exist.
    fn list(&self, folder: &Path) -> io::Result<Option<Vec<DirEntry>>>;

    /// The total bytes of the files directly in a folder; `None` if the folder does not exist.
    fn length_of_files(&self, folder: &Path) -> io::Result<Option<i64>> {
        let entries = self.list(folder)?;
        Ok(entries.map(|entries| {
            entries
                .iter()
                .filter_map(|entry| entry.length)
                .fold(0, i64::saturating_add)
        }))
    }

    /// Creates a folder and its parents.
    fn make_folders(&self, path: &Path) -> io::Result<()>;

    /// As [`FileSystem::make_folders`], accessible only to the user if the file system supports it: for the trash.
    fn make_private_folders(&self, path: &Path) -> io::Result<()> {
        self.make_folders(path)
    }

    /// Renames a file or folder. Nothing that exists is replaced, unless `is_redo` says that it may be the result of an
    /// interrupted attempt of the same rename.
    fn rename(&self, from: &Path, to: &Path, is_redo: bool) -> io::Result<()>;

    /// Removes `path` of whatever type; a link, not its target. A missing path is not an error.
    ///
    /// # Errors
    ///
    /// [`RemoveError::Canceled`], or the first path that cannot be removed.
    fn remove(&self, path: &Path) -> Result<(), RemoveError>;

    /// Sets permission bits.
    fn set_permission(&self, path: &Path, mode: u32) -> io::Result<()>;

    /// The group with that name, checked as far as possible without a file.
    fn group(&self, name: &str) -> io::Result<FileGroup>;

    /// Sets the group of a file; `is_link` says that `path` is a symbolic link.
    fn set_group(&self, path: &Path, group: &FileGroup, is_link: bool) -> io::Result<()>;

    /// Sets the replication factor of a file.
    fn set_replication(&self, path: &Path, factor: i16) -> io::Result<()>;

    /// Creates an empty file and its parent folders, or sets the time of an empty one to now.
    fn touch(&self, path: &Path) -> io::Result<()>;

    /// At most `length` bytes of a file, from offset `from`; fewer at its end.
    fn read_part(&self, path: &Path, from: u64, length: u64) -> io::Result<Vec<u8>>;

    /// The bytes of a file; more than `max` are an error.
    fn read(&self, path: &Path, max: u64) -> io::Result<Vec<u8>> {
        // One extra byte is enough to detect this.
        let bytes = self.read_part(path, 0, max.saturating_add(1))?;
        if size(&bytes) > max {
            let message = format!("it is longer than {max} bytes");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
        }
        Ok(bytes)
    }

    /// Copies a file to a local one, which is overwritten; only one part of a long file is in memory.
    fn get(&self, path: &Path, to: &Path) -> io::Result<()> {
        let mut file = File::create(to)?;
        let mut from = 0;
        loop {
            let part = self.read_part(path, from, PART)?;
            file.write_all(&part)?;
            from += size(&part);
            if size(&part) < PART {
                return Ok(());
            }
        }
    }

    /// Copies a local file to `to`, which is overwritten.
    fn put(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// The user's home folder, from which relative paths start.
    fn home(&self) -> Option<PathBuf>;

    /// The trash folder.
    ///
    /// # Errors
    ///
    /// Why the trash cannot be used.
    fn trash(&self) -> io::Result<PathBuf>;
}
