//! The location of an application.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::driver::{archive::Archive, below::below, settings::HPDL_TOML};

/// The location of an application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The folder of its files.
    pub folder: PathBuf,
    /// The workflow document in it.
    pub document: PathBuf,
    /// The archive that they were unpacked from.
    pub archive: Option<Arc<Archive>>,
}

impl Location {
    /// The application of a document, in the one of `archives` that contains it.
    pub fn of<'a>(
        document: PathBuf,
        archives: impl IntoIterator<Item = &'a Arc<Archive>>,
    ) -> Location {
        let folder = document
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let mut archives = archives.into_iter();
        Location {
            folder: folder.unwrap_or(Path::new(".")).to_owned(),
            archive: archives
                .find(|archive| archive.contains(&document))
                .cloned(),
            document,
        }
    }

    /// A path below the folder, spelled as the user would.
    pub fn below(&self, rest: &str) -> PathBuf {
        below(&self.folder, Path::new(rest))
    }

    /// A path of the application, as messages show it.
    pub fn shown(&self, path: &Path) -> String {
        let inside = self
            .archive
            .as_ref()
            .and_then(|archive| archive.shown(path));
        inside.as_deref().unwrap_or(path).display().to_string()
    }

    /// A path that identifies the application, the same for every spelling and every time that it is unpacked.
    pub fn identity(&self) -> PathBuf {
        let canonical = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        match &self.archive {
            Some(archive) => match archive.shown(&self.document) {
                Some(shown) => {
                    let inside = shown.strip_prefix(archive.path());
                    canonical(archive.path()).join(inside.unwrap_or(&shown))
                }
                None => canonical(&self.document),
            },
            None => canonical(&self.document),
        }
    }

    /// The folder where the search for settings starts: for an archive without settings, the folder that contains it.
    pub fn settings_folder(&self) -> PathBuf {
        let own = self.archive.as_ref().and_then(|archive| {
            let mut folders = self.folder.ancestors();
            let folders = folders
                .by_ref()
                .take_while(|folder| archive.contains(folder));
            folders
                .filter(|folder| folder.join(HPDL_TOML).is_file())
                .map(Path::to_owned)
                .next()
        });
        match &self.archive {
            Some(_) if own.is_some() => own.unwrap_or_default(),
            Some(archive) => match archive.path().parent() {
                Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
                Some(_) | None => PathBuf::from("."),
            },
            None => self.folder.clone(),
        }
    }
}
