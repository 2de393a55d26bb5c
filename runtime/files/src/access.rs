//! Maps a URI to its file system: the only place where schemes are distinguished.

use std::{
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use crate::{
    Local, PathError, Uri,
    access_settings::{AccessSettings, NO_SETTINGS},
    normalize,
    system::FileSystem,
};

/// A file or pattern, and its file system.
pub struct LocatedFile<'a> {
    pub system: Box<dyn FileSystem + 'a>,
    /// Absolute, without repeated or trailing slashes, `.` and `..`; may be a pattern.
    pub pattern: String,
}

impl LocatedFile<'_> {
    /// The path, if it is not a pattern.
    pub fn path(&self) -> PathBuf {
        PathBuf::from(&self.pattern)
    }

    /// The path or pattern with its file system, as Hadoop prints it.
    pub fn uri(&self) -> String {
        uri_on(&*self.system, Path::new(&self.pattern))
    }
}

/// An absolute path with its file system, as Hadoop prints it: `hdfs://nn:8020/x`, `file:/x`.
pub fn uri_on(system: &dyn FileSystem, path: &Path) -> String {
    let name = system.name().trim_end_matches('/');
    format!("{name}{}", path.display())
}

/// Access to files for one attempt.
#[derive(Clone, Debug)]
pub struct Access<'a> {
    pub settings: &'a AccessSettings,
    /// It is an error if more files match one pattern (`oozie.action.fs.glob.max`).
    pub glob_max: usize,
    pub local: Local<'a>,
}

static NEVER_CANCELED: AtomicBool = AtomicBool::new(false);

impl Default for Access<'_> {
    /// Access without a job.
    fn default() -> Self {
        Access::new(&NO_SETTINGS, &NEVER_CANCELED)
    }
}

impl<'a> Access<'a> {
    pub fn new(settings: &'a AccessSettings, is_canceled: &'a AtomicBool) -> Access<'a> {
        Access {
            settings,
            glob_max: crate::GLOB_MAX,
            local: Local::new(is_canceled),
        }
    }

    /// The file system of `uri`, and the path on it.
    ///
    /// # Errors
    ///
    /// If no file system supports it, or the path is relative.
    pub fn locate(&self, uri: &Uri<'_>) -> Result<LocatedFile<'a>, PathError> {
        let system = self.system(uri)?;
        if !uri.is_absolute() {
            return Err(PathError::Relative {
                path: uri.path.to_owned(),
            });
        }
        Ok(LocatedFile {
            system,
            pattern: normalize(uri.path),
        })
    }

    /// The file system that `uri` names. No connection is made yet.
    ///
    /// # Errors
    ///
    /// An unsupported scheme or one that the site does not allow, `file` on another host, or settings that lead to no server.
    pub fn system(&self, uri: &Uri<'_>) -> Result<Box<dyn FileSystem + 'a>, PathError> {
        let scheme = uri
            .scheme
            .map_or_else(|| "file".to_owned(), str::to_ascii_lowercase);
        if uri.scheme.is_some() && !self.settings.allows(&scheme) {
            return Err(PathError::ForbiddenScheme { scheme });
        }
        if scheme == "file" {
            uri.check_host()?;
            return Ok(Box::new(self.local.clone()));
        }
        self.remote(&scheme, uri)
    }

    #[cfg(feature = "full")]
    fn remote(&self, scheme: &str, uri: &Uri<'_>) -> Result<Box<dyn FileSystem + 'a>, PathError> {
        use crate::{hcat::Hcat, hdfs::Hdfs, hosts::Hosts, objects::Objects, webhdfs::WebHdfs};

        let authority = uri.authority.unwrap_or_default();
        let hosts = Hosts::new(self.settings, self.local.is_canceled);
        let opened: std::io::Result<Box<dyn FileSystem + 'a>> = match scheme {
            "hcat" => Hcat::open(hosts, authority).map(|system| Box::new(system) as _),
            "hdfs" | "viewfs" => {
                Hdfs::open(hosts, scheme, authority).map(|system| Box::new(system) as _)
            }
            "webhdfs" | "swebhdfs" => {
                WebHdfs::open(hosts, scheme, authority).map(|system| Box::new(system) as _)
            }
            "s3" | "s3a" | "s3n" | "gs" | "abfs" | "abfss" | "wasb" | "wasbs" => {
                Objects::open(hosts, scheme, authority).map(|system| Box::new(system) as _)
            }
            _ => {
                return Err(PathError::UnsupportedScheme {
                    scheme: scheme.to_owned(),
                });
            }
        };
        opened.map_err(|error| PathError::Unreachable {
            uri: format!("{scheme}://{authority}"),
            problem: error.to_string(),
        })
    }

    #[cfg(not(feature = "full"))]
    fn remote(&self, scheme: &str, _uri: &Uri<'_>) -> Result<Box<dyn FileSystem + 'a>, PathError> {
        Err(PathError::UnsupportedScheme {
            scheme: scheme.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_may_allow_few_schemes() {
        let settings = AccessSettings {
            schemes: Some("hdfs, WebHDFS".to_owned()),
            ..AccessSettings::default()
        };
        let access = Access::new(&settings, &NEVER_CANCELED);
        let error = |uri: &str| access.locate(&Uri::parse(uri)).err();
        let forbidden = PathError::ForbiddenScheme {
            scheme: "file".to_owned(),
        };
        assert_eq!(error("FILE:///x"), Some(forbidden));
        assert_eq!(error("/x"), None, "it has no scheme");
        assert!(settings.allows("webhdfs") && !settings.allows("s3a"));
        let all = AccessSettings {
            schemes: Some("*".to_owned()),
            ..AccessSettings::default()
        };
        assert!(all.allows("s3a"));
    }
}
