//! Mappings of URIs to local folders, or archives of folders: `--map URI=DIR`.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use hpdlc_core::app_uri::{AppLocation, USER, normalized};

use crate::{
    diagnostics::Sink,
    driver::{
        archive::Archive, children::CompileTimeScope, mistakes::invalid_archive::InvalidArchive,
        properties::Properties,
    },
};

/// One `--map`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    /// Normalized: without a slash at its end.
    prefix: String,
    /// The same as stored for jobs of any user, with properties and [`USER`] in it.
    kept: String,
    folder: PathBuf,
    /// The archive that the folder was unpacked from.
    archive: Option<Arc<Archive>>,
    /// Not specified by the user: only used if no other mapping covers a URI.
    is_guess: bool,
}

/// The mappings of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mappings(Vec<Mapping>);

impl Mapping {
    pub fn new(uri: &str, folder: PathBuf) -> Mapping {
        Mapping {
            prefix: normalized(uri),
            kept: normalized(uri),
            folder,
            archive: None,
            is_guess: false,
        }
    }

    /// For an executable that jobs of any user request by `uri`.
    #[must_use]
    pub fn kept_as(mut self, uri: &str) -> Mapping {
        self.kept = normalized(uri);
        self
    }

    /// Substitutes properties in the URIs of mappings.
    pub fn all_with_properties(mappings: Vec<Mapping>, properties: &Properties) -> Vec<Mapping> {
        if mappings.is_empty() {
            return mappings;
        }
        let values = properties.iter();
        let values = values.map(|(name, property)| (name.clone(), property.value.clone()));
        let scope = CompileTimeScope::of_values(values.collect(), "");
        let mappings = mappings.into_iter();
        mappings
            .map(|mapping| mapping.with_properties(&scope))
            .collect()
    }

    /// With the values of properties substituted in the URI.
    #[must_use]
    fn with_properties(mut self, scope: &CompileTimeScope) -> Mapping {
        if let Some((here, kept)) = scope.substituted(&self.prefix) {
            (self.prefix, self.kept) = (normalized(&here), normalized(&kept));
        }
        self
    }

    /// Unpacks the archives among mappings. Invalid ones are omitted and reported.
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
                    kept: mapping.kept.clone(),
                    folder: archive.application_folder(),
                    archive: Some(Arc::new(archive)),
                    is_guess: mapping.is_guess,
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

    /// The local path of `rest` below the prefix. An archive may contain one application, or a folder of several.
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

    /// A guessed mapping of the folders around an application: `hdfs://nn/apps` to `/checkout`, if
    /// `hdfs://nn/apps/logs/daily` is `/checkout/logs/daily`. `None` if not even the last folder has the same name.
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
            kept: prefix.to_owned(),
            folder: folder.to_owned(),
            archive: None,
            is_guess: true,
        })
    }

    /// Parses `URI=DIR`, split at the last `=`, since a URI may contain one and a folder hardly does.
    ///
    /// # Errors
    ///
    /// What is missing, in words.
    pub fn parse(text: &str) -> Result<Mapping, String> {
        match text.rsplit_once('=') {
            Some(("", _)) => Err("there is no URI before `=`".to_owned()),
            Some((_, "")) => Err("there is no folder after `=`".to_owned()),
            Some((uri, folder)) => Ok(Mapping::new(uri, PathBuf::from(folder))),
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
    /// The local path for a normalized URI: that of the longest prefix that covers it, the later of equal ones; a local path
    /// is used as it is. If neither leads to a file, prefixes are used that may be on the same file system as the URI, and
    /// guesses about what is around the application.
    pub fn local(&self, uri: &str) -> Option<PathBuf> {
        let place = AppLocation::of(uri);
        let longest = |covers: &dyn Fn(&Mapping) -> Option<String>| {
            let mapped = self.0.iter();
            mapped
                .filter_map(|mapping| Some((mapping, covers(mapping)?)))
                .max_by_key(|(mapping, _)| (!mapping.is_guess, mapping.prefix.len()))
                .map(|(mapping, rest)| (mapping.place(&rest), mapping.is_guess))
        };
        let covering = longest(&|mapping| place.below(&AppLocation::of(&mapping.prefix)));
        if let Some((path, false)) = &covering {
            return Some(path.clone());
        }
        let own = match uri.split_once(':') {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("file") => {
                match rest.strip_prefix("//") {
                    Some(rest) => Some(&rest[rest.find('/').unwrap_or(rest.len())..]),
                    None => Some(rest),
                }
            }
            Some(_) => None,
            None => Some(uri),
        };
        let own = own.filter(|path| path.starts_with('/')).map(PathBuf::from);
        let open = || longest(&|mapping| place.may_be_below(&AppLocation::of(&mapping.prefix)));
        let guesses = [covering.map(|(path, _)| path), own.clone()]
            .into_iter()
            .flatten();
        guesses
            .chain(open().map(|(path, _)| path))
            .find(|path| path.exists())
            .or(own)
    }

    /// The URIs by which jobs of any user request the local folder `path`.
    pub fn uris_of(&self, path: &Path) -> Vec<String> {
        let Ok(path) = path.canonicalize() else {
            return Vec::new();
        };
        let said = self.0.iter().filter(|mapping| !mapping.is_guess);
        said.filter_map(|mapping| {
            let folder = mapping.folder.canonicalize().ok()?;
            let rest = path.strip_prefix(folder).ok()?.to_str()?;
            // A URI with an unresolved property is not used.
            let is_known = !mapping.kept.replace(USER, "").contains("${");
            is_known.then(|| normalized(&format!("{}/{rest}", mapping.kept)))
        })
        .collect()
    }

    /// The archive that contains a mapped path.
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
        // Mappings of the user take precedence.
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
