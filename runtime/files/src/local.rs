//! The local file system.

use std::{
    env,
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom},
    os::unix::fs::{MetadataExt, PermissionsExt, chown, lchown},
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use rustix::{
    fs::{CWD, RenameFlags, Timespec, Timestamps, UTIME_NOW, futimens, renameat_with},
    io::Errno,
};

use crate::{
    link_metadata, metadata,
    remove::{RemoveError, remove_tree},
    system::{DirEntry, EntryStatus, FileGroup, FileSystem},
    unless_missing,
};

mod groups;

/// The block size in bytes that Hadoop's local file system reports for every file (`fs.local.block.size`).
const BLOCK_SIZE: i64 = 32 * 1024 * 1024;

/// The local file system of one user.
#[derive(Clone, Debug)]
pub struct Local<'a> {
    /// The user's home: contains the trash, and relative targets start there.
    pub home: Option<PathBuf>,
    /// Cancels removals.
    pub is_canceled: &'a AtomicBool,
}

impl<'a> Local<'a> {
    /// For the user whose home is `HOME`.
    pub fn new(is_canceled: &'a AtomicBool) -> Local<'a> {
        let home = env::var_os("HOME")
            .filter(|home| !home.is_empty())
            .map(PathBuf::from);
        Local { home, is_canceled }
    }
}

fn status(metadata: &fs::Metadata) -> EntryStatus {
    let is_folder = metadata.is_dir();
    EntryStatus {
        is_folder,
        is_link: metadata.is_symlink(),
        // A folder has no length of its own, as on HDFS.
        length: if is_folder {
            0
        } else {
            i64::try_from(metadata.len()).unwrap_or(i64::MAX)
        },
        block_size: if is_folder { 0 } else { BLOCK_SIZE },
        mode: Some(metadata.mode() & 0o7777),
        group: Some(FileGroup::Id(metadata.gid())),
        modified: Some(metadata.mtime() * 1000 + metadata.mtime_nsec() / 1_000_000),
    }
}

impl FileSystem for Local<'_> {
    fn name(&self) -> &str {
        "file:///"
    }

    fn status(&self, path: &Path) -> io::Result<Option<EntryStatus>> {
        Ok(metadata(path)?.as_ref().map(status))
    }

    fn link_status(&self, path: &Path) -> io::Result<Option<EntryStatus>> {
        Ok(link_metadata(path)?.as_ref().map(status))
    }

    fn list(&self, folder: &Path) -> io::Result<Option<Vec<DirEntry>>> {
        let Some(entries) = unless_missing(fs::read_dir(folder))? else {
            return Ok(None);
        };
        let entries = entries.map(|entry| {
            let entry = entry?;
            let kind = entry.file_type()?;
            Ok(DirEntry {
                name: entry.file_name(),
                is_folder: kind.is_dir(),
                is_link: kind.is_symlink(),
                length: None,
            })
        });
        entries.collect::<io::Result<_>>().map(Some)
    }

    fn length_of_files(&self, folder: &Path) -> io::Result<Option<i64>> {
        let Some(entries) = unless_missing(fs::read_dir(folder))? else {
            return Ok(None);
        };
        let mut sum = 0_i64;
        for entry in entries {
            // Symbolic links count as their targets.
            if let Some(metadata) = metadata(&entry?.path())? {
                sum = sum.saturating_add(status(&metadata).length);
            }
        }
        Ok(Some(sum))
    }

    fn make_folders(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    fn rename(&self, from: &Path, to: &Path, _is_redo: bool) -> io::Result<()> {
        rename(from, to)
    }

    fn remove(&self, path: &Path) -> Result<(), RemoveError> {
        remove_tree(path, self.is_canceled)
    }

    fn set_permission(&self, path: &Path, mode: u32) -> io::Result<()> {
        fs::set_permissions(path, fs::Permissions::from_mode(mode))
    }

    fn group(&self, name: &str) -> io::Result<FileGroup> {
        groups::id(name).map(FileGroup::Id)
    }

    fn set_group(&self, path: &Path, group: &FileGroup, is_link: bool) -> io::Result<()> {
        let id = match group {
            FileGroup::Id(id) => *id,
            FileGroup::Name(name) => groups::id(name)?,
        };
        // The owner is unchanged: it is the workflow's user already if that user may change groups at all.
        if is_link {
            lchown(path, None, Some(id))
        } else {
            chown(path, None, Some(id))
        }
    }

    fn set_replication(&self, _path: &Path, _factor: i16) -> io::Result<()> {
        // As in Hadoop's local file system.
        Ok(())
    }

    fn touch(&self, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent()
            && link_metadata(folder)?.is_none()
        {
            fs::create_dir_all(folder)?;
        }
        let file = File::options()
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        let now = Timespec {
            tv_sec: 0,
            tv_nsec: UTIME_NOW,
        };
        let times = Timestamps {
            last_access: now,
            last_modification: now,
        };
        Ok(futimens(&file, &times)?)
    }

    fn read_part(&self, path: &Path, from: u64, length: u64) -> io::Result<Vec<u8>> {
        let mut file = File::open(path)?;
        if from > 0 {
            file.seek(SeekFrom::Start(from))?;
        }
        let mut bytes = Vec::new();
        file.take(length).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn put(&self, from: &Path, to: &Path) -> io::Result<()> {
        // Git's own files are read-only and cannot be overwritten in place.
        match fs::remove_file(to) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
        fs::copy(from, to).map(drop)
    }

    fn home(&self) -> Option<PathBuf> {
        self.home.clone()
    }

    fn trash(&self) -> io::Result<PathBuf> {
        match &self.home {
            Some(home) => Ok(home.join(".Trash")),
            None => Err(io::Error::other(
                "there is no trash, because HOME is not set",
            )),
        }
    }
}

/// Renames unless the new name exists.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        // File systems without RENAME_NOREPLACE: check first.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
            if link_metadata(to)?.is_some() {
                return Err(io::Error::from(io::ErrorKind::AlreadyExists));
            }
            fs::rename(from, to)
        }
        other => Ok(other?),
    }
}
