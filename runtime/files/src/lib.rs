//! The file systems behind the URIs in Oozie's documents.
//!
//! Every path in an expression, an `fs` action or a `prepare` is parsed by [`Uri`], so that all of them interpret a text in the
//! same way, and resolved by [`Access`], which selects the file system. Texts are read as by Hadoop's `Path`: nothing is
//! percent-decoded, and `.` and `..` are resolved lexically, before any file system is accessed.
//!
//! Local files are supported in every program. Other file systems are part of the feature `full`.

use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
};

use hpdlc_core::file_systems;

pub mod access;
mod access_settings;
#[cfg(feature = "full")]
mod auth_to_local;
pub mod clusters;
pub mod error;
mod facts;
pub mod glob;
#[cfg(feature = "full")]
mod hcat;
#[cfg(feature = "full")]
mod hdfs;
#[cfg(feature = "full")]
pub mod hosts;
#[cfg(feature = "full")]
pub mod kerberos;
pub mod local;
#[cfg(feature = "full")]
mod negotiate;
#[cfg(feature = "full")]
mod objects;
pub mod remove;
#[cfg(feature = "full")]
pub mod rest;
pub mod system;
pub mod tree;
#[cfg(feature = "full")]
mod webhdfs;

pub use self::{
    access::{Access, LocatedFile, uri_on},
    access_settings::AccessSettings,
    local::Local,
    system::FileSystem,
};

/// The maximum number of files that a pattern may match by default (`oozie.action.fs.glob.max`).
pub const GLOB_MAX: usize = 50_000;

/// A text that does not name an accessible file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathError {
    /// A file system that this program does not support.
    UnsupportedScheme { scheme: String },
    /// A file system that the site's settings do not allow (E0904).
    ForbiddenScheme { scheme: String },
    /// The settings lead to no server.
    Unreachable { uri: String, problem: String },
    /// `file://host/x` with the name of another host.
    OtherHost { host: String },
    /// Not absolute, or empty.
    Relative { path: String },
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathError::UnsupportedScheme { scheme } => {
                write!(f, "this program cannot reach files of scheme `{scheme}`")?;
                if file_systems::is_known(scheme) && !cfg!(feature = "full") {
                    f.write_str("; `hpdlc build --full` makes one that can")
                } else {
                    let known = file_systems::REMOTE_SCHEMES.join("`, `");
                    write!(f, "; `file`, `{known}` are known")
                }
            }
            PathError::ForbiddenScheme { scheme } => {
                write!(
                    f,
                    "E0904: scheme `{scheme}` is not one of those that oozie.service.HadoopAccessorService.supported.filesystems allows"
                )
            }
            PathError::Unreachable { uri, problem } => write!(f, "cannot reach {uri}: {problem}"),
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

/// A path as written, split into the parts that Hadoop's `Path` distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uri<'a> {
    pub scheme: Option<&'a str>,
    /// `None` without `//`; never without a scheme, since `//x` is what remains of a path if `${nameNode}` is empty.
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

    /// Whether the path, without scheme and host, starts at the root.
    pub fn is_absolute(&self) -> bool {
        self.path.starts_with('/')
    }

    /// Whether the scheme is `file`.
    pub fn is_file(&self) -> bool {
        self.scheme
            .is_some_and(|scheme| scheme.eq_ignore_ascii_case("file"))
    }

    /// Whether the host of a `file` URI is this one.
    fn check_host(&self) -> Result<(), PathError> {
        match self.authority {
            Some(host) if !host.is_empty() && !host.eq_ignore_ascii_case("localhost") => {
                Err(PathError::OtherHost {
                    host: host.to_owned(),
                })
            }
            Some(_) | None => Ok(()),
        }
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
        self.check_host()?;
        if !self.is_absolute() {
            return Err(PathError::Relative {
                path: self.path.to_owned(),
            });
        }
        Ok(normalize(self.path))
    }
}

/// An absolute path without repeated or trailing slashes, `.` and `..`.
pub fn normalize(path: &str) -> String {
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

/// The local file that `uri` names: `/x`, `file:/x`, `file:///x` or `file://localhost/x`. Patterns are not expanded.
///
/// # Errors
///
/// Another scheme or host, or a relative path.
pub fn local_path(uri: &str) -> Result<PathBuf, PathError> {
    Uri::parse(uri).local_pattern().map(PathBuf::from)
}

/// The metadata of the path, following symbolic links; `None` if it does not exist.
pub fn metadata(path: &Path) -> io::Result<Option<fs::Metadata>> {
    unless_missing(fs::metadata(path))
}

/// The metadata of the path, without following a symbolic link; `None` if it does not exist.
pub fn link_metadata(path: &Path) -> io::Result<Option<fs::Metadata>> {
    unless_missing(fs::symlink_metadata(path))
}

fn unless_missing<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if is_missing(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

pub fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

#[cfg(test)]
mod tests;
