//! The files of an application that is migrated.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::driver::{Failure, location::Location};

/// The usual names of documents, which represent their whole folder.
const DOCUMENTS: [&str; 3] = ["workflow.xml", "coordinator.xml", "bundle.xml"];

/// The maximum depth, deeper than any real application.
const MAX_DEPTH: usize = 64;

/// A file of the application.
pub(super) struct ApplicationFile {
    /// Relative to the folder of the application.
    pub(super) relative: PathBuf,
    pub(super) source: PathBuf,
}

/// Whether PATH is a single document, and not the application around it, whose document has one of the usual names.
pub(super) fn is_alone(path: &Path, location: &Location) -> bool {
    let name = location.document.file_name().unwrap_or_default();
    path.is_file() && location.archive.is_none() && !DOCUMENTS.iter().any(|usual| name == *usual)
}

/// The files to write: those of the application's whole folder, or one document.
pub(super) fn files(
    location: &Location,
    output: &Path,
    is_alone: bool,
) -> Result<Vec<ApplicationFile>, Failure> {
    let mut found = Vec::new();
    if is_alone {
        found.push(ApplicationFile {
            relative: location.document.file_name().unwrap_or_default().into(),
            source: location.document.clone(),
        });
        return Ok(found);
    }
    let walk = MigrationWalk {
        root: location
            .folder
            .canonicalize()
            .map_err(|error| Failure::io("read", &location.folder, &error))?,
        output: output.canonicalize().ok(),
    };
    walk.folder(&location.folder, Path::new(""), 0, &mut found)?;
    found.sort_by(|left, right| left.relative.cmp(&right.relative));
    Ok(found)
}

struct MigrationWalk {
    /// With links resolved.
    root: PathBuf,
    output: Option<PathBuf>,
}

impl MigrationWalk {
    /// Skips hidden folders, which belong to other programs, and links that lead out of the application.
    fn folder(
        &self,
        folder: &Path,
        relative: &Path,
        depth: usize,
        found: &mut Vec<ApplicationFile>,
    ) -> Result<(), Failure> {
        let failure = |error| Failure::io("read", folder, &error);
        for entry in fs::read_dir(folder).map_err(failure)? {
            let entry = entry.map_err(failure)?;
            let (path, name) = (entry.path(), entry.file_name());
            let kind = entry.file_type().map_err(failure)?;
            let relative = relative.join(&name);
            // Paths in the current folder are written without `./`.
            let path = match path.strip_prefix(".") {
                Ok(short) => short.to_owned(),
                Err(_) => path,
            };
            if kind.is_dir() {
                let is_output = self.output.is_some() && path.canonicalize().ok() == self.output;
                let is_hidden = name.as_encoded_bytes().starts_with(b".");
                if !is_output && !is_hidden && depth < MAX_DEPTH {
                    self.folder(&path, &relative, depth + 1, found)?;
                }
            } else if kind.is_file() {
                found.push(ApplicationFile {
                    relative,
                    source: path,
                });
            } else if let Ok(target) = path.canonicalize()
                && target.starts_with(&self.root)
                && target.is_file()
            {
                found.push(ApplicationFile {
                    relative,
                    source: target,
                });
            }
        }
        Ok(())
    }
}
