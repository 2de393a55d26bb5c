//! The Hadoop configurations on this machine: that of its clients, and those of individual clusters if the site configures
//! folders for them (`HadoopAccessorService`).

use std::{
    collections::BTreeMap,
    env, fs, io,
    path::{Path, PathBuf},
};

use hpdlc_core::{
    configuration,
    el::{error::ElError, scope::ClusterFacts},
    substitute,
};
use hpdlc_host::comma_list;
use serde::{Deserialize, Serialize};

/// The folder of each cluster: `host:port=folder` separated by commas, `*` for all others.
pub const CONFIGURATIONS: &str = "oozie.service.HadoopAccessorService.hadoop.configurations";

/// The files of a folder; later ones override earlier ones (`HadoopAccessorService.loadHadoopConf`).
const FILES: [&str; 6] = [
    "core-site.xml",
    "hdfs-site.xml",
    "mapred-site.xml",
    "yarn-site.xml",
    "hadoop-site.xml",
    "ssl-client.xml",
];

/// Deprecated Hadoop property names and their current names: either gives the value.
const RENAMED: [(&str, &str); 6] = [
    ("dfs.federation.nameservices", "dfs.nameservices"),
    ("fs.default.name", "fs.defaultFS"),
    ("mapred.job.queue.name", "mapreduce.job.queuename"),
    ("mapred.job.tracker", "mapreduce.jobtracker.address"),
    ("mapred.map.tasks", "mapreduce.job.maps"),
    ("mapred.reduce.tasks", "mapreduce.job.reduces"),
];

/// The clusters in the site's setting [`CONFIGURATIONS`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Clusters {
    folders: Option<String>,
}

impl Clusters {
    /// The cluster that this machine's Hadoop clients are configured for.
    pub const INSTALLED: Clusters = Clusters { folders: None };

    /// The clusters of a site with these settings.
    pub fn of(site: &BTreeMap<String, String>) -> Clusters {
        Clusters {
            folders: site.get(CONFIGURATIONS).cloned(),
        }
    }

    /// No individual clusters are configured.
    pub fn is_installed(&self) -> bool {
        *self == Clusters::INSTALLED
    }

    /// The folder of the cluster that `host` names; `None` if this machine has no Hadoop.
    fn folder(&self, host: &str) -> Result<Option<PathBuf>, ElError> {
        let Some(folders) = &self.folders else {
            return Ok(installed_folder());
        };
        let mut of_all = None;
        for entry in comma_list::entries(folders) {
            let Some((name, folder)) = entry.split_once('=') else {
                let problem = format!("{CONFIGURATIONS}: `{entry}` is no host:port=folder");
                return Err(failure(problem));
            };
            let (name, folder) = (name.trim(), Path::new(folder.trim()));
            if !name.eq_ignore_ascii_case(host) && name != "*" {
                continue;
            }
            if !folder.is_absolute() {
                let problem = format!("{CONFIGURATIONS}: `{entry}` names no absolute folder");
                return Err(failure(problem));
            }
            if name == "*" {
                of_all = Some(folder.to_owned());
            } else {
                return Ok(Some(folder.to_owned()));
            }
        }
        Ok(of_all)
    }
}

impl ClusterFacts for Clusters {
    fn property(&self, host: &str, name: &str) -> Result<Option<String>, ElError> {
        let Some(folder) = self.folder(host)? else {
            return Ok(None);
        };
        let properties = properties_of(&folder, &FILES).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => failure(error.to_string()),
            _ => ElError::io(format!("function `hadoop:conf` failed: {error}")),
        })?;
        // Values with a cyclic reference are left unchanged.
        let properties = substitute::resolve_all(&properties).unwrap_or(properties);
        let other = RENAMED
            .iter()
            .find_map(|(earlier, later)| match name {
                it if it == *earlier => Some(*later),
                it if it == *later => Some(*earlier),
                _ => None,
            })
            .and_then(|other| properties.get(other));
        Ok(properties.get(name).or(other).cloned())
    }
}

fn failure(problem: String) -> ElError {
    ElError::function("hadoop:conf", problem)
}

/// The properties in these files of the installed configuration; later files override earlier ones.
///
/// # Errors
///
/// If an existing file cannot be read.
pub fn site_properties(names: &[&str]) -> io::Result<BTreeMap<String, String>> {
    match installed_folder() {
        Some(folder) => properties_of(&folder, names),
        None => Ok(BTreeMap::new()),
    }
}

/// Whether the installed configuration has this file.
#[cfg(feature = "full")]
pub fn has_file(name: &str) -> bool {
    installed_folder().is_some_and(|folder| folder.join(name).exists())
}

fn properties_of(folder: &Path, names: &[&str]) -> io::Result<BTreeMap<String, String>> {
    let mut properties = BTreeMap::new();
    for name in names {
        let path = folder.join(name);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => {
                let message = format!("cannot read {}: {error}", path.display());
                return Err(io::Error::new(error.kind(), message));
            }
        };
        let parsed = configuration::parse(&text).map_err(|error| {
            let message = format!("{}: {error}", path.display());
            io::Error::new(io::ErrorKind::InvalidData, message)
        })?;
        properties.extend(parsed.to_map());
    }
    Ok(properties)
}

/// The folder that `HADOOP_CONF_DIR` names, or that belongs to `HADOOP_HOME`.
fn installed_folder() -> Option<PathBuf> {
    let folder = |name: &str| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    folder("HADOOP_CONF_DIR").or_else(|| Some(folder("HADOOP_HOME")?.join("etc/hadoop")))
}

#[cfg(test)]
mod tests {
    use hpdlc_core::el::error::ElErrorKind;

    use super::*;

    fn write(folder: &Path, file: &str, properties: &[(&str, &str)]) {
        fs::create_dir_all(folder).unwrap();
        let properties: BTreeMap<String, String> = properties
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        fs::write(
            folder.join(file),
            configuration::write(&properties).unwrap(),
        )
        .unwrap();
    }

    fn clusters(folders: &str) -> Clusters {
        Clusters {
            folders: Some(folders.to_owned()),
        }
    }

    #[test]
    fn a_cluster_has_its_own_folder_or_that_of_all_others() {
        let folder = tempfile::tempdir().unwrap();
        let (near, far) = (folder.path().join("near"), folder.path().join("far"));
        write(
            &near,
            "core-site.xml",
            &[("fs.defaultFS", "hdfs://${host}"), ("host", "near")],
        );
        write(&near, "yarn-site.xml", &[("host", "late")]);
        write(
            &far,
            "mapred-site.xml",
            &[("fs.default.name", "hdfs://far")],
        );
        let (near, far) = (near.display(), far.display());
        let both = clusters(&format!(" RM:8032={near} , *={far}"));
        let one = clusters(&format!("rm:8032={near}"));
        for (clusters, host, name, expected) in [
            (&both, "rm:8032", "fs.defaultFS", Some("hdfs://late")),
            (&both, "rm:8032", "fs.default.name", Some("hdfs://late")),
            (&both, "rm:8032", "missing", None),
            (&both, "other", "fs.defaultFS", Some("hdfs://far")),
            (&both, "*", "fs.defaultFS", Some("hdfs://far")),
            (&one, "other", "fs.defaultFS", None),
        ] {
            let found = clusters.property(host, name).unwrap();
            assert_eq!(found.as_deref(), expected, "{host} {name}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        fs::write(path.join("core-site.xml"), "<configuration").unwrap();
        for folders in [
            "rm:8032".to_owned(),
            "rm:8032=conf".to_owned(),
            format!("*={}", path.display()),
        ] {
            let error = clusters(&folders).property("rm:8032", "x").unwrap_err();
            assert_eq!(error.kind, ElErrorKind::Function, "{error}");
        }
        fs::remove_file(path.join("core-site.xml")).unwrap();
        fs::create_dir(path.join("core-site.xml")).unwrap();
        let folders = format!("*={}", path.display());
        let error = clusters(&folders).property("rm:8032", "x").unwrap_err();
        assert_eq!(error.kind, ElErrorKind::Io, "{error}");
    }
}
