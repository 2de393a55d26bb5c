//! The local file system behind the URIs that Oozie's documents use, and what the functions of prefix `fs` ask of it.
//!
//! Every path that an expression, an `fs` action or a `prepare` names passes through [`Uri`], so that all of them agree on
//! what a text means. Texts are read as Hadoop's `Path` reads them: nothing is percent-decoded, and `.` and `..` are resolved
//! by name, before the disk is asked.

use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
};

use hpdlc_core::el::{error::ElError, scope::FileFacts};
use rustix::io::Errno;

pub mod glob;
pub mod remove;

use self::glob::GlobError;

/// How many files a pattern may match (`oozie.action.fs.glob.max`), unless a setting says otherwise.
pub const GLOB_MAX: usize = 50_000;

/// Bytes; what Hadoop's local file system calls the block size of every file (`fs.local.block.size`).
const LOCAL_BLOCK_SIZE: i64 = 32 * 1024 * 1024;

/// A text that names no file of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathError {
    /// A file system that this program does not reach.
    UnsupportedScheme { scheme: String },
    /// `file://host/x`, where the host is not this one.
    OtherHost { host: String },
    /// Not absolute, or empty.
    Relative { path: String },
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathError::UnsupportedScheme { scheme } => {
                write!(
                    f,
                    "this program cannot reach files of scheme `{scheme}`; `hpdlc build --full` makes one that can"
                )
            }
            PathError::OtherHost { host } => {
                write!(
                    f,
                    "host `{host}` in a `file` URI is not this machine; write `file:///...`"
                )
            }
            PathError::Relative { path } if path.is_empty() => f.write_str("the path is empty"),
            PathError::Relative { path } => write!(f, "path `{path}` is not absolute"),
        }
    }
}

impl std::error::Error for PathError {}

/// A path as written, in the parts that Hadoop's `Path` sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uri<'a> {
    pub scheme: Option<&'a str>,
    /// `None` without `//`; never without a scheme, since `//x` is what an empty `${nameNode}` leaves of a path.
    pub authority: Option<&'a str>,
    pub path: &'a str,
}

impl<'a> Uri<'a> {
    /// Never fails: a text without a colon before its first slash is a path.
    pub fn parse(text: &'a str) -> Uri<'a> {
        let Some((scheme, rest)) = text
            .split_once(':')
            .filter(|(scheme, _)| !scheme.contains('/'))
        else {
            return Uri {
                scheme: None,
                authority: None,
                path: text,
            };
        };
        let Some(rest) = rest.strip_prefix("//") else {
            return Uri {
                scheme: Some(scheme),
                authority: None,
                path: rest,
            };
        };
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let path = if path.is_empty() { "/" } else { path };
        Uri {
            scheme: Some(scheme),
            authority: Some(authority),
            path,
        }
    }

    /// Whether the path, without scheme and host, begins at the root.
    pub fn is_absolute(&self) -> bool {
        self.path.starts_with('/')
    }

    /// Whether the scheme is `file`.
    pub fn is_file(&self) -> bool {
        self.scheme
            .is_some_and(|scheme| scheme.eq_ignore_ascii_case("file"))
    }

    /// The path on this machine: absolute, without repeated or trailing slashes, `.` and `..`. May be a pattern.
    ///
    /// # Errors
    ///
    /// Another scheme or host, or a relative path.
    pub fn local_pattern(&self) -> Result<String, PathError> {
        if let Some(scheme) = self.scheme
            && !self.is_file()
        {
            return Err(PathError::UnsupportedScheme {
                scheme: scheme.to_owned(),
            });
        }
        if let Some(host) = self.authority
            && !host.is_empty()
            && !host.eq_ignore_ascii_case("localhost")
        {
            return Err(PathError::OtherHost {
                host: host.to_owned(),
            });
        }
        if !self.is_absolute() {
            return Err(PathError::Relative {
                path: self.path.to_owned(),
            });
        }
        Ok(normalize(self.path))
    }
}

fn normalize(path: &str) -> String {
    let mut components = Vec::new();
    for component in path.split('/') {
        match component {
            "" | "." => {}
            ".." => {
                components.pop();
            }
            name => components.push(name),
        }
    }
    format!("/{}", components.join("/"))
}

/// The file of this machine that `uri` names: `/x`, `file:/x`, `file:///x` or `file://localhost/x`. No pattern is expanded.
///
/// # Errors
///
/// Another scheme or host, or a relative path.
pub fn local_path(uri: &str) -> Result<PathBuf, PathError> {
    Uri::parse(uri).local_pattern().map(PathBuf::from)
}

/// What is there, symbolic links followed; nothing if it is missing.
pub(crate) fn metadata(path: &Path) -> io::Result<Option<fs::Metadata>> {
    unless_missing(fs::metadata(path))
}

/// What is there, a symbolic link being one; nothing if it is missing.
pub(crate) fn link_metadata(path: &Path) -> io::Result<Option<fs::Metadata>> {
    unless_missing(fs::symlink_metadata(path))
}

fn unless_missing<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if is_missing(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

pub(crate) fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// The functions `fs:exists`, `fs:isDir`, `fs:fileSize`, `fs:dirSize` and `fs:blockSize` on local files (`FsELFunctions`).
///
/// A path that cannot be meant, a bad pattern and a refusal fail the job as in Oozie; another IO error may pass, so it is
/// transient.
#[derive(Clone, Copy, Debug, Default)]
pub struct LocalFiles;

impl FileFacts for LocalFiles {
    fn exists(&self, glob: &str) -> Result<bool, ElError> {
        exists(glob, GLOB_MAX)
    }

    fn is_dir(&self, path: &str) -> Result<bool, ElError> {
        let (_, metadata) = status("fs:isDir", path)?;
        Ok(metadata.is_some_and(|metadata| metadata.is_dir()))
    }

    fn file_size(&self, path: &str) -> Result<i64, ElError> {
        let (_, metadata) = status("fs:fileSize", path)?;
        Ok(metadata.map_or(-1, |metadata| length(&metadata)))
    }

    fn dir_size(&self, path: &str) -> Result<i64, ElError> {
        const FUNCTION: &str = "fs:dirSize";
        let (folder, metadata) = status(FUNCTION, path)?;
        if !metadata.is_some_and(|metadata| metadata.is_dir()) {
            return Ok(-1);
        }
        let failure = |error: io::Error| io_error(FUNCTION, &folder, &error);
        let Some(entries) = unless_missing(fs::read_dir(&folder)).map_err(failure)? else {
            return Ok(-1);
        };
        let mut sum = 0_i64;
        for entry in entries {
            let entry = entry.map_err(failure)?;
            let Some(metadata) = self::metadata(&entry.path()).map_err(failure)? else {
                continue;
            };
            sum = sum.saturating_add(length(&metadata));
        }
        Ok(sum)
    }

    fn block_size(&self, path: &str) -> Result<i64, ElError> {
        let (_, metadata) = status("fs:blockSize", path)?;
        Ok(match metadata {
            None => -1,
            Some(metadata) if metadata.is_dir() => 0,
            Some(_) => LOCAL_BLOCK_SIZE,
        })
    }
}

fn exists(glob: &str, glob_max: usize) -> Result<bool, ElError> {
    const FUNCTION: &str = "fs:exists";
    let pattern = Uri::parse(glob)
        .local_pattern()
        .map_err(|error| ElError::function(FUNCTION, error))?;
    let matches = glob::expand(&pattern, glob_max).map_err(|error| match error {
        GlobError::Io { path, error } => io_error(FUNCTION, &path, &error),
        GlobError::Pattern { .. } | GlobError::TooMany { .. } => ElError::function(FUNCTION, error),
    })?;
    for path in matches {
        // A dangling link matches a pattern but leads to nothing.
        if metadata(&path)
            .map_err(|error| io_error(FUNCTION, &path, &error))?
            .is_some()
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Bytes; a folder has none of its own, as on HDFS.
fn length(metadata: &fs::Metadata) -> i64 {
    if metadata.is_dir() {
        0
    } else {
        i64::try_from(metadata.len()).unwrap_or(i64::MAX)
    }
}

fn status(function: &str, uri: &str) -> Result<(PathBuf, Option<fs::Metadata>), ElError> {
    let path = local_path(uri).map_err(|error| ElError::function(function, error))?;
    let metadata = metadata(&path).map_err(|error| io_error(function, &path, &error))?;
    Ok((path, metadata))
}

fn io_error(function: &str, path: &Path, error: &io::Error) -> ElError {
    let problem = format!("cannot look at {}: {error}", path.display());
    let is_lasting = matches!(
        error.kind(),
        io::ErrorKind::PermissionDenied
            | io::ErrorKind::InvalidInput
            | io::ErrorKind::InvalidFilename
    ) || Errno::from_io_error(error) == Some(Errno::LOOP);
    if is_lasting {
        ElError::function(function, problem)
    } else {
        ElError::io(format!("function `{function}`: {problem}"))
    }
}

#[cfg(test)]
mod tests;
