//! ZIPs of applications, the packaging of the proposal of 2009 (its section 7): unpacked into a temporary folder, which is
//! removed with the last reference to it.
//!
//! An archive is untrusted input. Nothing of it is written outside of the folder, links are rejected, and size, number and
//! compression ratio of its entries are limited.

use std::{
    collections::BTreeSet,
    fs,
    io::{self, Read, Seek, SeekFrom},
    path::{Component, Path, PathBuf},
};

use tempfile::TempDir;
use zip::{ZipArchive, result::ZipError};

use crate::driver::{MAX_APPLICATION_SIZE, mistakes::invalid_archive::ArchiveFault, read};

/// The maximum number of entries of an archive.
const MAX_ENTRIES: u64 = 10_000;

/// The maximum compression ratio of an entry; that of real data, runs of zeros apart, is lower.
const MAX_RATIO: u64 = 200;

/// Entries up to this size in bytes may have a higher ratio.
const SMALL: u64 = 1024 * 1024;

/// The maximum depth of nested folders.
const MAX_DEPTH: usize = 32;

/// An archive that is unpacked in a temporary folder during the lifetime of this value.
#[derive(Debug)]
pub struct Archive {
    /// As it was given.
    path: PathBuf,
    folder: TempDir,
}

impl PartialEq for Archive {
    fn eq(&self, other: &Archive) -> bool {
        self.folder.path() == other.folder.path()
    }
}

impl Eq for Archive {}

impl Archive {
    /// Unpacks the archive at `path`.
    pub fn unpack(path: &Path) -> Result<Archive, ArchiveFault> {
        let (mut file, metadata) = read::open(path).map_err(ArchiveFault::Unreadable)?;
        let size = metadata.len();
        if size > MAX_APPLICATION_SIZE {
            return Err(ArchiveFault::TooLarge {
                limit: MAX_APPLICATION_SIZE,
            });
        }
        if n_entries(&mut file, size).map_err(ArchiveFault::Unreadable)? > MAX_ENTRIES {
            return Err(ArchiveFault::TooManyEntries { limit: MAX_ENTRIES });
        }
        let folder = tempfile::Builder::new()
            .prefix("hpdlc-")
            .tempdir()
            .map_err(ArchiveFault::Unwritable)?;
        let mut archive = ZipArchive::new(io::BufReader::new(&file)).map_err(fault)?;
        let start = archive.central_directory_start();
        if let Some(name) = name_twice(&file, start).map_err(ArchiveFault::Unreadable)? {
            return Err(ArchiveFault::Twice { name });
        }
        let mut left = MAX_APPLICATION_SIZE;
        for index in 0..archive.len() {
            let entry = archive.by_index(index).map_err(fault)?;
            let name = entry.name().map_err(fault)?.into_owned();
            let target = target(&name, entry.enclosed_name())?;
            if entry.is_symlink() {
                return Err(ArchiveFault::Link { name });
            }
            if entry.is_dir() {
                fs::create_dir_all(folder.path().join(target)).map_err(ArchiveFault::Unwritable)?;
                continue;
            }
            let mode = entry.unix_mode();
            let most = left.min((entry.compressed_size().saturating_mul(MAX_RATIO)).max(SMALL));
            let target = folder.path().join(target);
            let written = write(entry.take(most + 1), &target, &name)?;
            if written > left {
                return Err(ArchiveFault::TooLarge {
                    limit: MAX_APPLICATION_SIZE,
                });
            }
            if written > most {
                return Err(ArchiveFault::TooDense {
                    name,
                    limit: MAX_RATIO,
                });
            }
            left -= written;
            set_mode(&target, mode).map_err(ArchiveFault::Unwritable)?;
        }
        Ok(Archive {
            path: path.to_owned(),
            folder,
        })
    }

    /// The folder of the application: the root, or the only folder in it.
    pub fn application_folder(&self) -> PathBuf {
        let root = self.folder.path();
        if is_application(root) {
            return root.to_owned();
        }
        let entries = fs::read_dir(root).into_iter().flatten().flatten();
        let mut visible = entries.filter(|entry| {
            let name = entry.file_name();
            let name = name.as_encoded_bytes();
            !name.starts_with(b".") && !name.starts_with(b"__MACOSX")
        });
        match (visible.next(), visible.next()) {
            (Some(only), None) if only.path().is_dir() => only.path(),
            _ => root.to_owned(),
        }
    }

    /// The name of `path` in messages, if it is in the archive: `app.zip/workflow.xml`.
    pub fn shown(&self, path: &Path) -> Option<PathBuf> {
        let inside = path.strip_prefix(self.folder.path()).ok()?;
        Some(self.path.join(inside))
    }

    /// The root folder of all entries.
    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    /// Whether the path is in the archive.
    pub fn contains(&self, path: &Path) -> bool {
        let mut depth = 0_usize;
        let Ok(inside) = path.strip_prefix(self.folder.path()) else {
            return false;
        };
        inside.components().all(|part| match part {
            Component::ParentDir => match depth.checked_sub(1) {
                Some(above) => {
                    depth = above;
                    true
                }
                None => false,
            },
            _ => {
                depth += 1;
                true
            }
        })
    }

    /// As it was given.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

fn is_application(folder: &Path) -> bool {
    ["workflow.xml", "coordinator.xml", "bundle.xml"]
        .iter()
        .any(|name| folder.join(name).is_file())
}

/// The number of entries according to the archive. The end of a ZIP is a record with their number, before a comment of at
/// most 64 KiB; reading the directory of an archive with millions of entries would already take too much.
fn n_entries(file: &mut fs::File, size: u64) -> io::Result<u64> {
    const RECORD: usize = 22;
    let tail = size.min(u64::from(u16::MAX) + 22);
    file.seek(SeekFrom::Start(size - tail))?;
    let mut bytes = Vec::with_capacity(usize::try_from(tail).unwrap_or(0));
    file.take(tail).read_to_end(&mut bytes)?;
    file.seek(SeekFrom::Start(0))?;
    let records = bytes
        .windows(RECORD)
        .filter(|window| window.starts_with(b"PK\x05\x06"));
    // 65535 means that another record has the number: there are at least as many.
    let counts = records.map(|record| u64::from(u16::from_le_bytes([record[10], record[11]])));
    Ok(counts.max().unwrap_or(0))
}

/// The first duplicate name in the central directory, which begins at `start`. Readers of the archive differ in which of the
/// two they use: ours silently takes the last.
fn name_twice(mut file: &fs::File, start: u64) -> io::Result<Option<String>> {
    const HEAD: usize = 46;
    let mut list = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.take(MAX_APPLICATION_SIZE).read_to_end(&mut list)?;
    let mut names = BTreeSet::new();
    let mut rest = list.as_slice();
    while let Some(head) = rest
        .get(..HEAD)
        .filter(|head| head.starts_with(b"PK\x01\x02"))
    {
        let number = |at: usize| usize::from(u16::from_le_bytes([head[at], head[at + 1]]));
        let (name, extra, comment) = (number(28), number(30), number(32));
        let Some(bytes) = rest.get(HEAD..HEAD + name) else {
            break;
        };
        if !names.insert(bytes) {
            return Ok(Some(String::from_utf8_lossy(bytes).into_owned()));
        }
        rest = rest
            .get(HEAD + name + extra + comment..)
            .unwrap_or_default();
    }
    Ok(None)
}

/// The relative path that an entry is unpacked to.
fn target(name: &str, enclosed: Option<PathBuf>) -> Result<PathBuf, ArchiveFault> {
    let outside = || ArchiveFault::Outside {
        name: name.to_owned(),
    };
    // Packers do not write names that go up with `..`, even if they stay inside.
    if name.starts_with('/') || name.contains('\\') || name.split('/').any(|part| part == "..") {
        return Err(outside());
    }
    let target = enclosed.ok_or_else(outside)?;
    if target.components().count() > MAX_DEPTH {
        return Err(ArchiveFault::TooDeep {
            name: name.to_owned(),
            limit: MAX_DEPTH,
        });
    }
    Ok(target)
}

/// Writes the entry to `target`, and returns the number of bytes.
fn write(mut entry: impl Read, target: &Path, name: &str) -> Result<u64, ArchiveFault> {
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder).map_err(ArchiveFault::Unwritable)?;
    }
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(target)
        .map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => ArchiveFault::Twice {
                name: name.to_owned(),
            },
            _ => ArchiveFault::Unwritable(error),
        })?;
    io::copy(&mut entry, &mut file).map_err(|error| match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            ArchiveFault::Unwritable(error)
        }
        _ => ArchiveFault::Damaged {
            problem: format!("entry `{name}`: {error}"),
        },
    })
}

/// Keeps the execute permission; nothing else of an entry's mode is used.
#[cfg(unix)]
fn set_mode(path: &Path, mode: Option<u32>) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    match mode {
        Some(mode) if mode & 0o111 != 0 => {
            fs::set_permissions(path, fs::Permissions::from_mode(0o755))
        }
        Some(_) | None => Ok(()),
    }
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: Option<u32>) -> io::Result<()> {
    Ok(())
}

fn fault(error: ZipError) -> ArchiveFault {
    match error {
        ZipError::Io(error) => ArchiveFault::Damaged {
            problem: error.to_string(),
        },
        other => ArchiveFault::Damaged {
            problem: other.to_string(),
        },
    }
}

#[cfg(test)]
mod tests;
