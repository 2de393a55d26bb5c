//! Copies of application folders to this machine, for a server that compiles them.
//!
//! A folder may be a stranger's: a link that leads out of a local folder is refused and not followed (CVE-2017-15712), names that are no
//! file names are refused, and sizes are limited. What hpdlc never embeds is left out: hidden files but `.hpdlignore`, and properties at
//! the top. So is `hpdl.toml`, whose folders are those of the machine where it was written.

use std::{
    fmt,
    fs::{self, File},
    io::{self, Read},
    path::{Component, Path, PathBuf},
};

use hpdlc_core::el::functions::proposal;
use rustix::{
    fs::{Dir, Mode, OFlags, ResolveFlags},
    io::Errno,
};
use serde::{Deserialize, Serialize};

use crate::system::{EntryStatus, FileSystem};

/// How far the root element may be from the beginning of a document, in bytes.
const MOST_BEFORE_ROOT: u64 = 1 << 20;
/// Deeper folders are those of a loop.
const MOST_DEEP: usize = 64;

/// How much may still be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    pub bytes: u64,
    /// Files and folders.
    pub entries: u64,
}

/// What was copied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Copied {
    /// The path of the document or file on its file system, absolute; the copy is below the folder that was given.
    pub document: String,
    pub bytes: u64,
    pub entries: u64,
}

/// Why nothing usable was copied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TreeError {
    /// The folder or file, or the document in the folder, does not exist: its path.
    Missing(String),
    /// The user may not read it: its path.
    Denied(String),
    /// More than is allowed.
    TooMuch,
    /// A link leads out of the folder, or in circles: its path below the folder.
    LeadsOut(String),
    /// The document is none of hPDL, or has a DOCTYPE: its path. Not a word of it may be in an answer: it may be any file.
    NoDocument(String),
    /// No file and no folder, or a name that cannot be that of a file: its path.
    Odd(String),
    /// Anything else that fails, as a text.
    Failed(String),
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TreeError::Missing(path) => write!(f, "{path} does not exist"),
            TreeError::Denied(path) => write!(f, "{path} may not be read"),
            TreeError::TooMuch => f.write_str("the application is too large"),
            TreeError::LeadsOut(path) => write!(f, "the link {path} leads out of the folder"),
            TreeError::NoDocument(path) => write!(f, "{path} is no document"),
            TreeError::Odd(path) => write!(f, "{path} is neither a file nor a folder"),
            TreeError::Failed(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for TreeError {}

/// The error of an operation on `path`.
fn failed(path: &Path, error: &io::Error) -> TreeError {
    let shown = path.display().to_string();
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => TreeError::Missing(shown),
        io::ErrorKind::PermissionDenied => TreeError::Denied(shown),
        _ => TreeError::Failed(format!("{shown}: {error}")),
    }
}

/// Copies the application at `path`: a folder with a document of the name `usual`, or a document, whose folder is copied then.
///
/// # Errors
///
/// As [`TreeError`] says; what was copied so far stays.
pub fn application(
    system: &dyn FileSystem,
    path: &Path,
    usual: &str,
    into: &Path,
    allowed: Allowance,
) -> Result<Copied, TreeError> {
    let (folder, document) = match status(system, path)?.is_folder {
        true => (path, path.join(usual)),
        false => (path.parent().unwrap_or(path), path.to_owned()),
    };
    // A folder without a document is no application, and nobody asked for its files.
    if status(system, &document)?.is_folder {
        return Err(TreeError::Odd(document.display().to_string()));
    }
    let head = system.read_part(&document, 0, MOST_BEFORE_ROOT);
    let head = head.map_err(|error| failed(&document, &error))?;
    if root_element(&head).is_none() {
        return Err(TreeError::NoDocument(document.display().to_string()));
    }
    let mut copy = Copy {
        allowed,
        left: allowed,
    };
    let to = below(into, folder);
    match system.name() == LOCAL {
        true => copy.local(folder, &to)?,
        false => copy.remote(system, folder, Path::new(""), &to)?,
    }
    if !below(into, &document).is_file() {
        return Err(TreeError::Missing(document.display().to_string()));
    }
    Ok(copy.copied(&document))
}

/// Copies one file, without what is beside it.
///
/// # Errors
///
/// As [`TreeError`] says.
pub fn file(
    system: &dyn FileSystem,
    path: &Path,
    into: &Path,
    allowed: Allowance,
) -> Result<Copied, TreeError> {
    let status = status(system, path)?;
    if status.is_folder {
        return Err(TreeError::Odd(path.display().to_string()));
    }
    let mut copy = Copy {
        allowed,
        left: allowed,
    };
    let to = below(into, path);
    make_folder(to.parent().unwrap_or(&to))?;
    match (system.name() == LOCAL, path.parent(), path.file_name()) {
        (true, Some(folder), Some(name)) => {
            let root = open_folder(folder)?;
            let opened = open_beneath(&root, folder, Path::new(name))?;
            copy.opened(opened, path, &to)?;
        }
        _ => copy.one(system, path, u64::try_from(status.length).ok(), &to)?,
    }
    Ok(copy.copied(path))
}

/// The root element of an hPDL document, without prefix; `None` if the text is something else.
pub fn root_element(text: &[u8]) -> Option<&str> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut rest = text.trim_ascii_start();
    loop {
        let end: &[u8] = match rest {
            _ if rest.starts_with(b"<?") => b"?>",
            _ if rest.starts_with(b"<!--") => b"-->",
            _ => break,
        };
        let at = rest.windows(end.len()).position(|window| window == end)?;
        rest = rest[at + end.len()..].trim_ascii_start();
    }
    let name = rest.strip_prefix(b"<")?;
    let end = name
        .iter()
        .position(|byte| byte.is_ascii_whitespace() || b"/>".contains(byte))?;
    let name = std::str::from_utf8(&name[..end]).ok()?;
    let name = name.rsplit_once(':').map_or(name, |(_, name)| name);
    let known = [
        "workflow-app",
        "coordinator-app",
        "bundle-app",
        proposal::ROOT_ELEMENT,
    ];
    known.contains(&name).then_some(name)
}

/// [`FileSystem::name`] of local files.
const LOCAL: &str = "file:///";

fn status(system: &dyn FileSystem, path: &Path) -> Result<EntryStatus, TreeError> {
    system
        .status(path)
        .map_err(|error| failed(path, &error))?
        .ok_or_else(|| TreeError::Missing(path.display().to_string()))
}

/// The copy of an absolute path.
pub fn below(into: &Path, path: &Path) -> PathBuf {
    let parts = path.components();
    let parts = parts.filter(|part| matches!(part, Component::Normal(_)));
    into.join(parts.collect::<PathBuf>())
}

fn make_folder(path: &Path) -> Result<(), TreeError> {
    fs::create_dir_all(path).map_err(|error| failed(path, &error))
}

/// Whether an entry is not copied; `relative` is its path below the folder.
fn is_left_out(relative: &Path) -> bool {
    let name = relative.file_name().and_then(|name| name.to_str());
    let name = name.unwrap_or_default();
    let is_at_top = relative.components().count() == 1;
    (name.starts_with('.') && name != ".hpdlignore")
        || name == "hpdl.toml"
        || (is_at_top && name.ends_with(".properties"))
}

struct Copy {
    allowed: Allowance,
    left: Allowance,
}

impl Copy {
    fn copied(&self, document: &Path) -> Copied {
        Copied {
            document: document.display().to_string(),
            bytes: self.allowed.bytes - self.left.bytes,
            entries: self.allowed.entries - self.left.entries,
        }
    }

    fn count(&mut self, bytes: u64) -> Result<(), TreeError> {
        let take = |left: u64, n: u64| left.checked_sub(n).ok_or(TreeError::TooMuch);
        self.left.bytes = take(self.left.bytes, bytes)?;
        Ok(())
    }

    fn count_entry(&mut self) -> Result<(), TreeError> {
        self.left.entries = self.left.entries.checked_sub(1).ok_or(TreeError::TooMuch)?;
        Ok(())
    }

    /// A folder of a remote file system; `relative` is its path below the first one.
    fn remote(
        &mut self,
        system: &dyn FileSystem,
        folder: &Path,
        relative: &Path,
        to: &Path,
    ) -> Result<(), TreeError> {
        if relative.components().count() > MOST_DEEP {
            return Err(TreeError::LeadsOut(relative.display().to_string()));
        }
        make_folder(to)?;
        let entries = system
            .list(folder)
            .map_err(|error| failed(folder, &error))?;
        for entry in entries.unwrap_or_default() {
            let path = folder.join(&entry.name);
            let mut parts = Path::new(&entry.name).components();
            // An object may be called `a/../b`.
            let (Some(Component::Normal(name)), None) = (parts.next(), parts.next()) else {
                return Err(TreeError::Odd(path.display().to_string()));
            };
            let inside = relative.join(name);
            if is_left_out(&inside) {
                continue;
            }
            self.count_entry()?;
            match entry.is_folder {
                true => self.remote(system, &path, &inside, &to.join(name))?,
                false => {
                    let length = entry.length.and_then(|length| u64::try_from(length).ok());
                    self.one(system, &path, length, &to.join(name))?;
                }
            }
        }
        Ok(())
    }

    /// A remote file; its length is that of a listing, if it has one.
    fn one(
        &mut self,
        system: &dyn FileSystem,
        path: &Path,
        length: Option<u64>,
        to: &Path,
    ) -> Result<(), TreeError> {
        let length = match length {
            Some(length) => length,
            None => u64::try_from(status(system, path)?.length).unwrap_or(0),
        };
        if length > self.left.bytes {
            return Err(TreeError::TooMuch);
        }
        system.get(path, to).map_err(|error| failed(path, &error))?;
        let length = fs::metadata(to).map_err(|error| failed(to, &error))?.len();
        self.count(length)
    }

    fn local(&mut self, folder: &Path, to: &Path) -> Result<(), TreeError> {
        let root = open_folder(folder)?;
        self.local_folder(&root, folder, Path::new(""), to)
    }

    /// The folder at `relative` below the opened `root`, which is called `folder`.
    fn local_folder(
        &mut self,
        root: &File,
        folder: &Path,
        relative: &Path,
        to: &Path,
    ) -> Result<(), TreeError> {
        if relative.components().count() > MOST_DEEP {
            return Err(TreeError::LeadsOut(relative.display().to_string()));
        }
        make_folder(to)?;
        let shown = folder.join(relative);
        let here = match relative.as_os_str().is_empty() {
            true => root.try_clone().map_err(|error| failed(&shown, &error))?,
            false => open_beneath(root, folder, relative)?,
        };
        let entries = Dir::read_from(&here).map_err(|error| failed(&shown, &error.into()))?;
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| failed(&shown, &error.into()))?;
            let name = entry.file_name().to_bytes();
            if name != b"." && name != b".." {
                let name: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(name);
                names.push(name.to_owned());
            }
        }
        names.sort();
        for name in names {
            let inside = relative.join(&name);
            if is_left_out(&inside) {
                continue;
            }
            self.count_entry()?;
            let opened = match open_beneath(root, folder, &inside) {
                // A link to nothing, or a file that has just gone.
                Err(TreeError::Missing(_)) => continue,
                opened => opened?,
            };
            let path = folder.join(&inside);
            let metadata = opened.metadata().map_err(|error| failed(&path, &error))?;
            match metadata.is_dir() {
                true => self.local_folder(root, folder, &inside, &to.join(&name))?,
                false => self.opened(opened, &path, &to.join(&name))?,
            }
        }
        Ok(())
    }

    fn opened(&mut self, file: File, path: &Path, to: &Path) -> Result<(), TreeError> {
        let metadata = file.metadata().map_err(|error| failed(path, &error))?;
        if !metadata.is_file() {
            return Err(TreeError::Odd(path.display().to_string()));
        }
        let mut copy = File::create(to).map_err(|error| failed(to, &error))?;
        // It may grow while it is read.
        let mut limited = file.take(self.left.bytes.saturating_add(1));
        let length = io::copy(&mut limited, &mut copy).map_err(|error| failed(path, &error))?;
        self.count(length)?;
        copy.set_permissions(metadata.permissions())
            .map_err(|error| failed(to, &error))
    }
}

/// Links in the path of the folder itself are followed: the caller named it.
fn open_folder(folder: &Path) -> Result<File, TreeError> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let opened = rustix::fs::open(folder, flags, Mode::empty());
    let opened = opened.map_err(|error| failed(folder, &error.into()))?;
    Ok(File::from(opened))
}

/// A file or folder below an opened one. Nobody can lead it out by a link, also not one that is made meanwhile. A pipe does not block.
fn open_beneath(root: &File, folder: &Path, relative: &Path) -> Result<File, TreeError> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    match rustix::fs::openat2(root, relative, flags, Mode::empty(), resolve) {
        Ok(opened) => Ok(File::from(opened)),
        Err(Errno::XDEV | Errno::LOOP) => Err(TreeError::LeadsOut(relative.display().to_string())),
        Err(Errno::NXIO) => Err(TreeError::Odd(folder.join(relative).display().to_string())),
        Err(error) => Err(failed(&folder.join(relative), &error.into())),
    }
}

#[cfg(test)]
mod tests;
