//! The settings of the site, the job and the action for file access.

use std::collections::BTreeMap;

use hpdlc_host::comma_list;
use serde::{Deserialize, Serialize};

use crate::clusters::Clusters;

/// The settings for access to a job's files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessSettings {
    /// The Hadoop user if it is not the one that runs the program (`hpdl.proxyuser`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// Properties that override those in Hadoop's own configuration files.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub properties: BTreeMap<String, String>,
    /// The allowed schemes, if the site restricts them (`oozie.service.HadoopAccessorService.supported.filesystems`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schemes: Option<String>,
    /// Time limit of one request to a server, in seconds (`hpdl.fs.timeout`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<u64>,
    /// The clusters whose configurations `hadoop:conf` reads.
    #[serde(default, skip_serializing_if = "Clusters::is_installed")]
    pub clusters: Clusters,
}

const SUPPORTED_SCHEMES: &str = "oozie.service.HadoopAccessorService.supported.filesystems";

/// The prefixes of properties that Hadoop's clients read.
const PREFIXES: [&str; 5] = ["dfs.", "fs.", "google.cloud.", "hadoop.", "ipc."];

impl AccessSettings {
    /// The settings of a job with properties `conf` on a site with settings `site`.
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

    /// Adds the file system properties in an action's configuration.
    #[must_use]
    pub fn with(mut self, configuration: &BTreeMap<String, String>) -> AccessSettings {
        // Local files have no settings, so nothing is stored if they are the only ones.
        if cfg!(feature = "full") {
            for (name, value) in configuration {
                if PREFIXES.iter().any(|prefix| name.starts_with(prefix)) {
                    self.properties.insert(name.clone(), value.clone());
                }
            }
        }
        self
    }

    pub(crate) fn allows(&self, scheme: &str) -> bool {
        self.schemes.as_deref().is_none_or(|schemes| {
            comma_list::entries(schemes)
                .any(|allowed| allowed == "*" || allowed.eq_ignore_ascii_case(scheme))
        })
    }
}

/// Settings without a job.
pub(crate) static NO_SETTINGS: AccessSettings = AccessSettings {
    user: None,
    properties: BTreeMap::new(),
    schemes: None,
    timeout: None,
    clusters: Clusters::INSTALLED,
};

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
}
