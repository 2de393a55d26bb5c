//! The functions `fs:exists`, `fs:isDir`, `fs:fileSize`, `fs:dirSize` and `fs:blockSize` (`FsELFunctions`).
//!
//! An invalid path, a bad pattern and a permission error fail the job as in Oozie; another IO error may pass, so it is transient.

use std::{
    io,
    path::{Path, PathBuf},
};

use hpdlc_core::el::{error::ElError, scope::FileFacts};
use rustix::io::Errno;

use crate::{
    Access, LocatedFile, PathError, Uri,
    error::Fault,
    glob::{self, GlobError},
    system::EntryStatus,
};

impl FileFacts for Access<'_> {
    fn exists(&self, glob: &str) -> Result<bool, ElError> {
        const FUNCTION: &str = "fs:exists";
        let LocatedFile { system, pattern } = self.find(FUNCTION, glob)?;
        let found =
            glob::expand(&*system, &pattern, self.glob_max).map_err(|error| match error {
                GlobError::Io { path, error } => io_error(FUNCTION, &path, &error),
                GlobError::Pattern { .. } | GlobError::TooMany { .. } => {
                    ElError::function(FUNCTION, error)
                }
            })?;
        for path in found {
            // A dangling link matches a pattern but its target does not exist.
            let status = system
                .status(&path)
                .map_err(|error| io_error(FUNCTION, &path, &error))?;
            if status.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_dir(&self, path: &str) -> Result<bool, ElError> {
        let (_, _, status) = self.look("fs:isDir", path)?;
        Ok(status.is_some_and(|status| status.is_folder))
    }

    fn file_size(&self, path: &str) -> Result<i64, ElError> {
        let (_, _, status) = self.look("fs:fileSize", path)?;
        Ok(status.map_or(-1, |status| status.length))
    }

    fn dir_size(&self, path: &str) -> Result<i64, ElError> {
        const FUNCTION: &str = "fs:dirSize";
        let (located, folder, status) = self.look(FUNCTION, path)?;
        if !status.is_some_and(|status| status.is_folder) {
            return Ok(-1);
        }
        let length = located
            .system
            .length_of_files(&folder)
            .map_err(|error| io_error(FUNCTION, &folder, &error))?;
        Ok(length.unwrap_or(-1))
    }

    fn block_size(&self, path: &str) -> Result<i64, ElError> {
        let (_, _, status) = self.look("fs:blockSize", path)?;
        Ok(status.map_or(-1, |status| status.block_size))
    }
}

impl<'a> Access<'a> {
    fn find(&self, function: &str, uri: &str) -> Result<LocatedFile<'a>, ElError> {
        self.locate(&Uri::parse(uri)).map_err(|error| match error {
            PathError::Unreachable { .. } => ElError::io(format!("function `{function}`: {error}")),
            PathError::UnsupportedScheme { .. }
            | PathError::ForbiddenScheme { .. }
            | PathError::OtherHost { .. }
            | PathError::Relative { .. } => ElError::function(function, error),
        })
    }

    /// Patterns are not expanded.
    fn look(
        &self,
        function: &str,
        uri: &str,
    ) -> Result<(LocatedFile<'a>, PathBuf, Option<EntryStatus>), ElError> {
        let located = self.find(function, uri)?;
        let path = located.path();
        let status = located
            .system
            .status(&path)
            .map_err(|error| io_error(function, &path, &error))?;
        Ok((located, path, status))
    }
}

fn io_error(function: &str, path: &Path, error: &io::Error) -> ElError {
    let problem = format!("cannot look at {}: {error}", path.display());
    let is_lasting = matches!(
        error.kind(),
        io::ErrorKind::PermissionDenied
            | io::ErrorKind::InvalidInput
            | io::ErrorKind::InvalidFilename
    ) || Errno::from_io_error(error) == Some(Errno::LOOP)
        || Fault::of(error) == Some(&Fault::Unsupported);
    if is_lasting {
        ElError::function(function, problem)
    } else {
        ElError::io(format!("function `{function}`: {problem}"))
    }
}
