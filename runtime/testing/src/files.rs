//! What the functions of prefixes `fs`, `hcat` and `hadoop` find: what the test has said.

use std::collections::BTreeMap;

use hpdlc_core::el::{
    error::ElError,
    scope::{ClusterFacts, FileFacts},
};
use hpdlc_files::{GLOB_MAX, PathError, Uri, glob, normalize};

/// The size of a block of HDFS.
const BLOCK: i64 = 128 * 1024 * 1024;

/// The files and tables that exist, by their paths.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files {
    /// Their lengths; `None` is a folder.
    known: BTreeMap<FilePath, Option<i64>>,
}

/// Scheme and host as written, and the path; a table of HCatalog is its whole URI.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct FilePath {
    system: String,
    path: String,
}

impl FilePath {
    fn parse(text: &str) -> Result<FilePath, PathError> {
        let uri = Uri::parse(text.trim());
        if !uri.is_absolute() {
            return Err(PathError::Relative {
                path: text.to_owned(),
            });
        }
        let host = uri.authority.unwrap_or_default();
        let system = match uri.scheme {
            Some(scheme) if !uri.is_file() => format!("{}://{host}", scheme.to_ascii_lowercase()),
            Some(_) | None => String::new(),
        };
        Ok(FilePath {
            system,
            path: normalize(uri.path),
        })
    }

    fn of(function: &str, text: &str) -> Result<FilePath, ElError> {
        FilePath::parse(text).map_err(|error| ElError::function(function, error))
    }

    fn is_in(&self, folder: &FilePath) -> bool {
        self.system == folder.system
            && self
                .path
                .strip_prefix(folder.path.trim_end_matches('/'))
                .is_some_and(|rest| rest.starts_with('/'))
    }
}

impl Files {
    /// Adds a file, or a folder without a length.
    ///
    /// # Errors
    ///
    /// The path is relative.
    pub(crate) fn add(&mut self, path: &str, length: Option<i64>) -> Result<(), PathError> {
        self.known.insert(FilePath::parse(path)?, length);
        Ok(())
    }

    /// The length of a file, `None` for a folder, if it exists: the folders above a file do too.
    fn find(&self, path: &FilePath) -> Option<Option<i64>> {
        let is_above = || self.known.keys().any(|known| known.is_in(path));
        let known = self.known.get(path).copied();
        known.or_else(|| is_above().then_some(None))
    }
}

impl FileFacts for Files {
    fn exists(&self, glob: &str) -> Result<bool, ElError> {
        const FUNCTION: &str = "fs:exists";
        let wanted = FilePath::of(FUNCTION, glob)?;
        for known in self
            .known
            .keys()
            .filter(|known| known.system == wanted.system)
        {
            // Each folder above it exists too.
            let ends = known.path.match_indices('/').map(|(end, _)| end);
            for end in ends.skip(1).chain([known.path.len()]) {
                let is_match = glob::is_match(&wanted.path, &known.path[..end], GLOB_MAX);
                if is_match.map_err(|error| ElError::function(FUNCTION, error))? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn is_dir(&self, path: &str) -> Result<bool, ElError> {
        let path = FilePath::of("fs:isDir", path)?;
        Ok(self.find(&path) == Some(None))
    }

    fn file_size(&self, path: &str) -> Result<i64, ElError> {
        let path = FilePath::of("fs:fileSize", path)?;
        Ok(self.find(&path).map_or(-1, |length| length.unwrap_or(0)))
    }

    fn dir_size(&self, path: &str) -> Result<i64, ElError> {
        let folder = FilePath::of("fs:dirSize", path)?;
        if self.find(&folder) != Some(None) {
            return Ok(-1);
        }
        let depth = |path: &str| path.trim_end_matches('/').matches('/').count();
        let is_directly_in = |known: &FilePath| {
            known.is_in(&folder) && depth(&known.path) == depth(&folder.path) + 1
        };
        let inside = self.known.iter().filter(|(known, _)| is_directly_in(known));
        Ok(inside.filter_map(|(_, length)| *length).sum())
    }

    fn block_size(&self, path: &str) -> Result<i64, ElError> {
        let path = FilePath::of("fs:blockSize", path)?;
        let found = self.find(&path);
        Ok(found.map_or(-1, |length| length.map_or(0, |_| BLOCK)))
    }
}

/// The values of `hadoop:conf`, by the host and the name that it is asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clusters {
    pub(crate) properties: BTreeMap<(String, String), String>,
}

impl ClusterFacts for Clusters {
    fn property(&self, host: &str, name: &str) -> Result<Option<String>, ElError> {
        let key = (host.to_owned(), name.to_owned());
        Ok(self.properties.get(&key).cloned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> Files {
        let mut files = Files::default();
        for (path, length) in [
            ("/data/in/part-1", Some(10)),
            ("/data/in/part-2", Some(5)),
            ("/data/in/deep/part-3", Some(100)),
            ("hdfs://nn/out", None),
            ("hcat://meta:9083/shop/orders/day=1", Some(0)),
        ] {
            files.add(path, length).unwrap();
        }
        files
    }

    #[track_caller]
    fn check_exists(path: &str, expected: bool) {
        assert_eq!(files().exists(path), Ok(expected), "{path}");
    }

    #[test]
    fn patterns_match_files_and_the_folders_above() {
        check_exists("/data/in/part-[12]", true);
        check_exists("file:///data/in", true);
        check_exists("/d*", true);
        check_exists("/data/*/part-3", false);
        check_exists("/out", false);
        check_exists("hdfs://nn/out/", true);
        check_exists("hcat://meta:9083/shop/orders/day=1", true);
        check_exists("hcat://meta:9083/shop/orders/day=2", false);
    }

    #[test]
    fn sizes_are_those_of_files_and_what_is_directly_in_folders() {
        let files = files();
        assert_eq!(files.file_size("/data/in/part-1"), Ok(10));
        assert_eq!(files.file_size("/data/in/part-9"), Ok(-1));
        assert_eq!(files.dir_size("/data/in"), Ok(15));
        assert_eq!(files.dir_size("/data/in/part-1"), Ok(-1));
        assert_eq!(files.is_dir("/data"), Ok(true));
        assert_eq!(files.is_dir("/data/in/part-1"), Ok(false));
        assert_eq!(files.block_size("/data/in/part-1"), Ok(BLOCK));
    }

    #[test]
    fn a_relative_path_is_an_error_as_in_a_job() {
        let error = files().exists("data/in").expect_err("it is relative");
        assert!(
            error.message.contains("is not absolute"),
            "{}",
            error.message
        );
    }
}
