//! Which local folder, or archive of one, stands for a URI: `--map URI=DIR`.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use hpdlc_core::app_uri::{below, normalized};

use crate::{
    diagnostics::Sink,
    driver::{archive::Archive, mistakes::invalid_archive::InvalidArchive},
};

/// One `--map`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    /// Normalized: no slash at its end.
    prefix: String,
    folder: PathBuf,
    /// What the folder was unpacked from.
    archive: Option<Arc<Archive>>,
}

/// The mappings of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mappings(Vec<Mapping>);

impl Mapping {
    pub fn new(uri: &str, folder: PathBuf) -> Mapping {
        Mapping {
            prefix: normalized(uri),
            folder,
            archive: None,
        }
    }

    /// Unpacks the archives among mappings. One that is refused is left out, and the diagnostic says why.
    pub fn unpacked(mappings: &[Mapping], sink: &mut Sink) -> Vec<Mapping> {
        let unpack = |mapping: &Mapping| {
            let extension = mapping.folder.extension();
            let is_zip = extension.is_some_and(|extension| extension.eq_ignore_ascii_case("zip"));
            if !is_zip || mapping.archive.is_some() || !mapping.folder.is_file() {
                return Some(mapping.clone());
            }
            match Archive::unpack(&mapping.folder) {
                Ok(archive) => Some(Mapping {
                    prefix: mapping.prefix.clone(),
                    folder: archive.application_folder(),
                    archive: Some(Arc::new(archive)),
                }),
                Err(fault) => {
                    sink.emit(InvalidArchive {
                        path: mapping.folder.display().to_string(),
                        fault,
                    });
                    None
                }
            }
        };
        mappings.iter().filter_map(unpack).collect()
    }

    /// The place of what is `rest` below the prefix. An archive may hold one application, or a folder of several.
    fn place(&self, rest: &str) -> PathBuf {
        if rest.is_empty() {
            return self.folder.clone();
        }
        let inside = self.folder.join(rest);
        match &self.archive {
            Some(archive) if !inside.exists() => archive.root().join(rest),
            Some(_) | None => inside,
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
                archive: None,
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
            return Some(mapping.place(rest));
        }
        let path = match uri.split_once(':') {
            Some(("file", rest)) => rest.strip_prefix("//").unwrap_or(rest),
            _ => uri,
        };
        Path::new(path).is_absolute().then(|| PathBuf::from(path))
    }

    /// The archive that a mapped path lies in.
    pub fn archive_of(&self, path: &Path) -> Option<&Arc<Archive>> {
        let mut archives = self.0.iter().filter_map(|mapping| mapping.archive.as_ref());
        archives.find(|archive| archive.contains(path))
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
