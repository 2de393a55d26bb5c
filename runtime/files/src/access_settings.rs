//! What the site, the job and the action say about the way to files.

use std::collections::BTreeMap;

use hpdlc_host::comma_list;
use serde::{Deserialize, Serialize};

use crate::clusters::Clusters;

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

    pub(crate) fn allows(&self, scheme: &str) -> bool {
        self.schemes.as_deref().is_none_or(|schemes| {
            comma_list::entries(schemes)
                .any(|allowed| allowed == "*" || allowed.eq_ignore_ascii_case(scheme))
        })
    }
}

/// Where nothing is known of a job.
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
