//! What the runtime asks of a file system, whichever it is.
//!
//! Paths are absolute and normalized, without scheme and host. Calls block; whoever makes them is on a thread that may. A
//! call that takes long ends soon after the flag is set that its file system was opened with. Where a file system cannot do
//! something at all, the error's [`Fault`](crate::error::Fault) says so.

use std::{
    ffi::OsString,
    fs::File,
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use crate::remove::RemoveError;

/// What is known of one file or folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    pub is_folder: bool,
    /// A symbolic link itself; only [`FileSystem::link_status`] gives one.
    pub is_link: bool,
    /// Bytes; 0 of a folder.
    pub length: i64,
    /// Bytes; 0 of a folder.
    pub block_size: i64,
    /// Permission bits with the sticky bit, where the file system has them.
    pub mode: Option<u32>,
    pub group: Option<FileGroup>,
}

/// One entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirEntry {
    pub name: OsString,
    pub is_folder: bool,
    pub is_link: bool,
    /// Bytes; `None` where a listing does not say it.
    pub length: Option<i64>,
}

/// A group of users: by its number on this machine, by its name elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileGroup {
    Id(u32),
    Name(String),
}

/// Bytes of a long file that are asked for or sent at once: each part has its own time limit.
pub const PART: u64 = 8 * 1024 * 1024;

/// The next part of a file that is sent; empty at its end.
///
/// # Errors
///
/// It cannot be read.
pub fn next_part(file: &mut File) -> io::Result<Vec<u8>> {
    let mut part = Vec::new();
    file.take(PART).read_to_end(&mut part)?;
    Ok(part)
}

fn size(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

/// One file system, for one user.
pub trait FileSystem {
    /// Scheme and host. Files move by name between paths of one file system alone.
    fn name(&self) -> &str;

    /// What is at `path`, symbolic links followed; nothing if it is missing.
    fn status(&self, path: &Path) -> io::Result<Option<Status>>;

    /// As [`FileSystem::status`], a symbolic link being one.
    fn link_status(&self, path: &Path) -> io::Result<Option<Status>> {
        self.status(path)
    }

    /// What is directly in a folder, in no order; nothing if no folder is there.
    fn list(&self, folder: &Path) -> io::Result<Option<Vec<DirEntry>>>;

    /// Bytes of the files directly in a folder; nothing if no folder is there.
    fn length_of_files(&self, folder: &Path) -> io::Result<Option<i64>> {
        let entries = self.list(folder)?;
        Ok(entries.map(|entries| {
            entries
                .iter()
                .filter_map(|entry| entry.length)
                .fold(0, i64::saturating_add)
        }))
    }

    /// Makes a folder and those above it.
    fn make_folders(&self, path: &Path) -> io::Result<()>;

    /// As [`FileSystem::make_folders`], for the user alone where that can be said: the trash.
    fn make_private_folders(&self, path: &Path) -> io::Result<()> {
        self.make_folders(path)
    }

    /// Gives a file or folder a new name. Nothing that exists is replaced, unless `is_redo` says that what is there may be
    /// the beginning of the same.
    fn rename(&self, from: &Path, to: &Path, is_redo: bool) -> io::Result<()>;

    /// Removes whatever is at `path`; a link, not what it points to. Nothing there is fine.
    ///
    /// # Errors
    ///
    /// [`RemoveError::Canceled`], and what cannot be removed.
    fn remove(&self, path: &Path) -> Result<(), RemoveError>;

    /// Sets permission bits.
    fn set_permission(&self, path: &Path, mode: u32) -> io::Result<()>;

    /// The group of that name, checked as far as the file system can without a file.
    fn group(&self, name: &str) -> io::Result<FileGroup>;

    /// Gives a file to a group; `is_link` says that `path` is a symbolic link.
    fn set_group(&self, path: &Path, group: &FileGroup, is_link: bool) -> io::Result<()>;

    /// How many copies of a file are kept.
    fn set_replication(&self, path: &Path, factor: i16) -> io::Result<()>;

    /// Makes an empty file with the folders above it, or gives an empty one the present time.
    fn touch(&self, path: &Path) -> io::Result<()>;

    /// At most `length` bytes of a file, from the byte `from` on; fewer where it ends before.
    fn read_part(&self, path: &Path, from: u64, length: u64) -> io::Result<Vec<u8>>;

    /// The bytes of a file; more than `max` are an error.
    fn read(&self, path: &Path, max: u64) -> io::Result<Vec<u8>> {
        // One byte too many is enough to know.
        let bytes = self.read_part(path, 0, max.saturating_add(1))?;
        if size(&bytes) > max {
            let message = format!("it is longer than {max} bytes");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
        }
        Ok(bytes)
    }

    /// Copies a file to one of this machine, over what is there; of a long one, no more than a part is in memory.
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

    /// Copies a file of this machine to `to`, over what is there.
    fn put(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// The user's own folder, which relative paths start from.
    fn home(&self) -> Option<PathBuf>;

    /// The folder that takes what is deleted.
    ///
    /// # Errors
    ///
    /// Why nothing can be put into a trash.
    fn trash(&self) -> io::Result<PathBuf>;
}
