//! Which local folder stands for a URI: `--map URI=DIR`.

use std::path::{Path, PathBuf};

use hpdlc_core::app_uri::{below, normalized};

/// One `--map`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    /// Normalized: no slash at its end.
    prefix: String,
    folder: PathBuf,
}

/// The mappings of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mappings(Vec<Mapping>);

impl Mapping {
    pub fn new(uri: &str, folder: PathBuf) -> Mapping {
        Mapping {
            prefix: normalized(uri),
            folder,
        }
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
            .max_by_key(|(mapping, _)| mapping.prefix.len());
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
    fn half_a_mapping_is_refused() {
        for text in ["hdfs://nn", "=dir", "hdfs://nn="] {
            assert!(Mapping::parse(text).is_err(), "{text}");
        }
    }
}
