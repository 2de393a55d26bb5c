//! From a URI to the file system that has it: the one place where schemes are told apart.

use std::{collections::BTreeMap, path::PathBuf, sync::atomic::AtomicBool};

use hpdlc_host::list;
use serde::{Deserialize, Serialize};

use crate::{Local, PathError, Uri, clusters::Clusters, normalize, system::FileSystem};

/// What a job's files are reached with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessSettings {
    /// The user of Hadoop where it is not the one that runs the program (`hpdl.proxyuser`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// What Hadoop's own files of configuration are completed with.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub properties: BTreeMap<String, String>,
    /// The schemes that may be used, where the site says it (`oozie.service.HadoopAccessorService.supported.filesystems`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schemes: Option<String>,
    /// How long one question to a server may take, in seconds (`hpdl.fs.timeout`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<u64>,
    /// Whose configurations `hadoop:conf` reads.
    #[serde(default, skip_serializing_if = "Clusters::is_installed")]
    pub clusters: Clusters,
}

const SUPPORTED_SCHEMES: &str = "oozie.service.HadoopAccessorService.supported.filesystems";

/// How the names of properties begin that Hadoop's clients read.
const PREFIXES: [&str; 5] = ["dfs.", "fs.", "google.cloud.", "hadoop.", "ipc."];

impl AccessSettings {
    /// Of a job with properties `conf` on a site with settings `site`.
    pub fn of(conf: &BTreeMap<String, String>, site: &BTreeMap<String, String>) -> AccessSettings {
        let setting = |name: &str| conf.get(name).or_else(|| site.get(name));
        let is_proxy = conf
            .get("hpdl.proxyuser")
            .is_some_and(|value| value == "true");
        let settings = AccessSettings {
            user: conf.get("user.name").filter(|_| is_proxy).cloned(),
            properties: BTreeMap::new(),
            schemes: site.get(SUPPORTED_SCHEMES).cloned(),
            timeout: setting("hpdl.fs.timeout").and_then(|seconds| seconds.trim().parse().ok()),
            clusters: Clusters::of(site),
        };
        settings.with(site).with(conf)
    }

    /// With what an action's configuration says about file systems.
    #[must_use]
    pub fn with(mut self, configuration: &BTreeMap<String, String>) -> AccessSettings {
        // Local files have no settings, and what is not needed is not stored.
        if cfg!(feature = "full") {
            for (name, value) in configuration {
                if PREFIXES.iter().any(|prefix| name.starts_with(prefix)) {
                    self.properties.insert(name.clone(), value.clone());
                }
            }
        }
        self
    }

    fn allows(&self, scheme: &str) -> bool {
        self.schemes.as_deref().is_none_or(|schemes| {
            list::entries(schemes)
                .any(|allowed| allowed == "*" || allowed.eq_ignore_ascii_case(scheme))
        })
    }
}

/// A file or pattern, and the file system that has it.
pub struct Located<'a> {
    pub system: Box<dyn FileSystem + 'a>,
    /// Absolute, without repeated or trailing slashes, `.` and `..`; may be a pattern.
    pub pattern: String,
}

impl Located<'_> {
    /// The path, where it is no pattern.
    pub fn path(&self) -> PathBuf {
        PathBuf::from(&self.pattern)
    }
}

/// The way to files for one attempt.
#[derive(Clone, Debug)]
pub struct Access<'a> {
    pub settings: &'a AccessSettings,
    /// More files than this that match one pattern are an error (`oozie.action.fs.glob.max`).
    pub glob_max: usize,
    pub local: Local<'a>,
}

static NEVER_CANCELED: AtomicBool = AtomicBool::new(false);

static NO_SETTINGS: AccessSettings = AccessSettings {
    user: None,
    properties: BTreeMap::new(),
    schemes: None,
    timeout: None,
    clusters: Clusters::INSTALLED,
};

impl Default for Access<'_> {
    /// Where nothing is known of a job.
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
    /// No file system has it, or the path is relative.
    pub fn locate(&self, uri: &Uri<'_>) -> Result<Located<'a>, PathError> {
        let system = self.system(uri)?;
        if !uri.is_absolute() {
            return Err(PathError::Relative {
                path: uri.path.to_owned(),
            });
        }
        Ok(Located {
            system,
            pattern: normalize(uri.path),
        })
    }

    /// The file system that `uri` names. Nobody is asked yet whether it is there.
    ///
    /// # Errors
    ///
    /// A scheme that this program does not know or that the site does not allow, `file` on another host, and settings that
    /// lead to no server.
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

    fn map(list: &[(&str, &str)]) -> BTreeMap<String, String> {
        list.iter()
            .map(|&(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    }

    #[test]
    fn settings_come_from_the_site_below_the_job() {
        let site = map(&[
            (SUPPORTED_SCHEMES, "hdfs, webhdfs"),
            ("fs.trash.interval", "60"),
            ("fs.s3a.endpoint", "site"),
            ("hpdl.fs.timeout", "5"),
        ]);
        let job = map(&[
            (SUPPORTED_SCHEMES, "*"),
            ("fs.s3a.endpoint", "job"),
            ("input", "/data"),
            ("user.name", "ann"),
        ]);
        let settings = AccessSettings::of(&job, &site);
        assert_eq!(settings.schemes.as_deref(), Some("hdfs, webhdfs"));
        assert_eq!(settings.timeout, Some(5));
        assert_eq!(
            settings.user, None,
            "only a proxy takes the name of another"
        );
        let expected = if cfg!(feature = "full") {
            map(&[("fs.s3a.endpoint", "job"), ("fs.trash.interval", "60")])
        } else {
            BTreeMap::new()
        };
        assert_eq!(settings.properties, expected);

        let mut job = job;
        job.insert("hpdl.proxyuser".to_owned(), "true".to_owned());
        let settings = AccessSettings::of(&job, &site);
        assert_eq!(settings.user.as_deref(), Some("ann"));
    }

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
