//! Which local folder stands for a URI: `--map URI=DIR`.

use std::path::{Path, PathBuf};

use hpdlc_core::app_uri::{below, normalized};

/// One `--map`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    /// Normalized: no slash at its end.
    prefix: String,
    folder: PathBuf,
    /// Nobody said so: only counts where no other one covers a URI.
    is_guess: bool,
}

/// The mappings of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mappings(Vec<Mapping>);

impl Mapping {
    pub fn new(uri: &str, folder: PathBuf) -> Mapping {
        Mapping {
            prefix: normalized(uri),
            folder,
            is_guess: false,
        }
    }

    /// What stands around an application that lies here as it lies there: `hdfs://nn/apps` for `/checkout`, where
    /// `hdfs://nn/apps/logs/daily` is `/checkout/logs/daily`. Nothing where not even the last folder has the same name.
    pub fn around(&self) -> Option<Mapping> {
        let real = self.folder.canonicalize().ok()?;
        let (mut prefix, mut folder) = (self.prefix.as_str(), real.as_path());
        while let Some((outer, name)) = prefix.rsplit_once('/')
            && !outer.is_empty()
            && !outer.ends_with(":/")
            && let Some(outer_folder) = folder.parent()
            && folder.file_name().is_some_and(|own| own == name)
        {
            (prefix, folder) = (outer, outer_folder);
        }
        (prefix.len() < self.prefix.len()).then(|| Mapping {
            prefix: prefix.to_owned(),
            folder: folder.to_owned(),
            is_guess: true,
        })
    }

    /// Reads `URI=DIR`. The last `=` counts, since a URI may hold one and a folder hardly does.
    ///
    /// # Errors
    ///
    /// What is missing, in words.
    pub fn parse(text: &str) -> Result<Mapping, String> {
        match text.rsplit_once('=') {
            Some(("", _)) => Err("there is no URI before `=`".to_owned()),
            Some((_, "")) => Err("there is no folder after `=`".to_owned()),
            Some((uri, folder)) => Ok(Mapping {
                prefix: normalized(uri),
                folder: PathBuf::from(folder),
                is_guess: false,
            }),
            None => Err("it has the form URI=DIR, such as hdfs://nn/apps=../apps".to_owned()),
        }
    }
}

impl FromIterator<Mapping> for Mappings {
    fn from_iter<T: IntoIterator<Item = Mapping>>(mappings: T) -> Mappings {
        Mappings(mappings.into_iter().collect())
    }
}

impl Mappings {
    /// The local path for a normalized URI: that of the longest prefix that covers it, the later of equal ones; a
    /// path of this machine stands for itself.
    pub fn local(&self, uri: &str) -> Option<PathBuf> {
        let mapped = self
            .0
            .iter()
            .filter_map(|mapping| Some((mapping, below(uri, &mapping.prefix)?)))
            .max_by_key(|(mapping, _)| (!mapping.is_guess, mapping.prefix.len()));
        if let Some((mapping, rest)) = mapped {
            return Some(if rest.is_empty() {
                mapping.folder.clone()
            } else {
                mapping.folder.join(rest)
            });
        }
        let path = match uri.split_once(':') {
            Some(("file", rest)) => rest.strip_prefix("//").unwrap_or(rest),
            _ => uri,
        };
        Path::new(path).is_absolute().then(|| PathBuf::from(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_prefix_wins() {
        let mappings: Mappings = [
            "hdfs://nn=a",
            "hdfs://nn/apps/=b",
            "hdfs://nn/apps=c",
            "s3a://x?y=1=d",
        ]
        .into_iter()
        .map(|text| Mapping::parse(text).expect("is well-formed"))
        .collect();
        for (uri, expected) in [
            ("hdfs://nn/other", Some("a/other")),
            ("hdfs://nn/apps", Some("c")),
            ("hdfs://nn/apps/x/y", Some("c/x/y")),
            ("hdfs://nn/apps2", Some("a/apps2")),
            ("hdfs://nn2/apps", None),
            ("s3a://x?y=1/z", Some("d/z")),
            ("/local/app", Some("/local/app")),
            ("file:///local/app", Some("/local/app")),
            ("relative/app", None),
        ] {
            assert_eq!(mappings.local(uri), expected.map(PathBuf::from), "{uri}");
        }
    }

    #[test]
    fn what_stands_around_an_application_is_a_guess() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let real = folder.path().canonicalize().expect("it exists");
        let own = real.join("apps/logs/daily");
        std::fs::create_dir_all(&own).expect("the folder is new");
        for (uri, expected) in [
            (
                "hdfs://nn/prod/apps/logs/daily",
                Some(("hdfs://nn/prod", "")),
            ),
            (
                "hdfs://nn/prod/logs/daily/",
                Some(("hdfs://nn/prod", "apps")),
            ),
            ("hdfs://nn/apps/logs/daily", Some(("hdfs://nn", ""))),
            ("hdfs://daily", None),
            ("/logs/daily", Some(("/logs", "apps/logs"))),
            ("hdfs://nn/prod/weekly", None),
        ] {
            let around = Mapping::new(uri, own.clone()).around();
            let found = around
                .as_ref()
                .map(|around| (around.prefix.as_str(), around.folder.clone()));
            let expected = expected.map(|(prefix, rest)| {
                let folder = if rest.is_empty() {
                    real.clone()
                } else {
                    real.join(rest)
                };
                (prefix, folder)
            });
            assert_eq!(found, expected, "{uri}");
        }
        // What somebody said comes first.
        let around = Mapping::new("hdfs://nn/prod/apps/logs/daily", own).around();
        let said = Mapping::new("hdfs://nn", PathBuf::from("said"));
        let mappings: Mappings = around.into_iter().chain([said]).collect();
        assert_eq!(
            mappings.local("hdfs://nn/prod/x"),
            Some(PathBuf::from("said/prod/x"))
        );
    }

    #[test]
    fn half_a_mapping_is_refused() {
        for text in ["hdfs://nn", "=dir", "hdfs://nn="] {
            assert!(Mapping::parse(text).is_err(), "{text}");
        }
    }
}
