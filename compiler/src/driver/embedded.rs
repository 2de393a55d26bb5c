//! The files of an application that are embedded in the executable.
//!
//! Every file of its folder, except `*.properties` at the top (they contain passwords), hidden files, what hpdlc itself has
//! generated ([`own_outputs`]), and what `.hpdlignore` lists. Links are followed inside the folder only. Files with a secret
//! are reported ([`secrets`]).

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use crate::{
    diagnostics::Sink,
    driver::{
        MAX_APPLICATION_SIZE,
        ignore::Ignore,
        location::Location,
        mistakes::{
            application_too_large::ApplicationTooLarge,
            embedded_secrets::EmbeddedSecret,
            skipped_files::{Cause, SkippedFile},
            unreadable_file::UnreadableFile,
        },
        read::Files,
    },
};

pub mod own_outputs;
mod secrets;

/// How many of the largest files a message lists.
const N_LARGEST: usize = 3;

/// A file to embed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbeddedFile {
    pub source: PathBuf,
    /// Bytes.
    pub size: u64,
    pub is_executable: bool,
}

/// Files by their path below the application's folder, with `/`.
pub type EmbeddedFiles = BTreeMap<String, EmbeddedFile>;

/// The files of a folder.
#[derive(Debug, Default)]
pub struct FolderContent {
    pub files: EmbeddedFiles,
    /// The executables, crates and state folders of hpdlc that were left out, as messages show them.
    pub own_outputs: Vec<String>,
}

struct FolderWalk<'a> {
    location: &'a Location,
    /// With links resolved, to determine where links lead.
    canonical_root: PathBuf,
    ignore: Ignore,
    files: EmbeddedFiles,
    own_outputs: Vec<String>,
    sink: &'a mut Sink,
}

/// The files of an application to embed. `own_output`, if it is in the folder, is excluded.
pub fn of_location(
    location: &Location,
    own_output: Option<&Path>,
    files: &mut Files,
    sink: &mut Sink,
) -> FolderContent {
    let folder = &location.folder;
    let path = folder.join(".hpdlignore");
    let shown = location.shown(&path);
    let ignore = files.text_if_present(&path, &shown, sink).map_or_else(
        || Ignore::with_defaults(""),
        |file| Ignore::with_defaults(files.sources.text(file)),
    );
    let canonical_root = match folder.canonicalize() {
        Ok(path) => path,
        Err(error) => {
            sink.emit(UnreadableFile {
                path: location.shown(folder),
                error: &error,
            });
            return FolderContent::default();
        }
    };
    let mut walk = FolderWalk {
        location,
        canonical_root: canonical_root.clone(),
        ignore,
        files: BTreeMap::new(),
        own_outputs: Vec::new(),
        sink,
    };
    walk.folder("", &canonical_root, &mut vec![canonical_root.clone()]);
    let mut found = FolderContent {
        files: walk.files,
        own_outputs: walk.own_outputs,
    };
    if let Some(output) = own_output.and_then(|path| path.canonicalize().ok()) {
        found.files.retain(|_, file| {
            file.source
                .canonicalize()
                .is_ok_and(|source| source != output)
        });
    }
    found
}

/// Whether the file or folder at `relative`, a path below the application's folder with `/`, is never embedded, whatever the
/// patterns are: hidden, or properties at the top.
pub fn is_left_out(relative: &str, is_folder: bool) -> bool {
    let is_hidden = relative.split('/').any(|name| name.starts_with('.'));
    is_hidden || (!is_folder && !relative.contains('/') && relative.ends_with(".properties"))
}

/// Reports if `files` are too large in total.
pub fn check_size(files: &EmbeddedFiles, folder: &Path, sink: &mut Sink) {
    let size = files.values().map(|file| file.size).sum();
    if size <= MAX_APPLICATION_SIZE {
        return;
    }
    let mut largest: Vec<(String, u64)> = files
        .iter()
        .map(|(path, file)| (path.clone(), file.size))
        .collect();
    largest.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    largest.truncate(N_LARGEST);
    sink.emit(ApplicationTooLarge {
        folder: folder.display().to_string(),
        size,
        limit: MAX_APPLICATION_SIZE,
        largest,
    });
}

impl FolderWalk<'_> {
    /// Adds the contents of the folder at `relative`. `open` is the stack of enclosing folders, with links resolved.
    fn folder(&mut self, relative: &str, path: &Path, open: &mut Vec<PathBuf>) {
        let entries =
            fs::read_dir(path).and_then(|entries| entries.collect::<io::Result<Vec<_>>>());
        let mut entries = match entries {
            Ok(entries) => entries,
            Err(error) => {
                let path = self.shown(relative);
                self.sink.emit(UnreadableFile {
                    path,
                    error: &error,
                });
                return;
            }
        };
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let name = entry.file_name();
            let Some(name) = name.to_str() else {
                if name.as_encoded_bytes().starts_with(b".") {
                    continue;
                }
                let path = format!("{}/{}", self.shown(relative), name.to_string_lossy());
                self.sink.emit(SkippedFile {
                    path,
                    cause: Cause::Name,
                });
                continue;
            };
            let relative = if relative.is_empty() {
                name.to_owned()
            } else {
                format!("{relative}/{name}")
            };
            self.entry(&relative, &entry.path(), open);
        }
    }

    fn entry(&mut self, relative: &str, path: &Path, open: &mut Vec<PathBuf>) {
        // For the patterns, a dangling link is a file.
        let is_folder = path.is_dir();
        if is_left_out(relative, is_folder) || self.ignore.is_ignored(relative, is_folder) {
            return;
        }
        let shown = self.shown(relative);
        let path = match self.followed(path, open) {
            Ok(path) => path,
            Err(cause) => {
                self.sink.emit(SkippedFile { path: shown, cause });
                return;
            }
        };
        let metadata = match fs::metadata(&path) {
            Ok(metadata) => metadata,
            Err(error) => {
                self.sink.emit(UnreadableFile {
                    path: shown,
                    error: &error,
                });
                return;
            }
        };
        let is_wanted = self.ignore.is_taken_back(relative, is_folder);
        if metadata.is_dir() {
            if !is_wanted && own_outputs::is_folder(&path) {
                self.own_outputs.push(shown);
                return;
            }
            open.push(path.clone());
            self.folder(relative, &path, open);
            open.pop();
        } else if !metadata.is_file() {
            self.sink.emit(SkippedFile {
                path: shown,
                cause: Cause::Special,
            });
        } else if let Err(error) = self.file(relative, path, &metadata, is_wanted) {
            self.sink.emit(UnreadableFile {
                path: shown,
                error: &error,
            });
        }
    }

    /// Adds a file; `is_wanted` says that a pattern explicitly includes it.
    fn file(
        &mut self,
        relative: &str,
        path: PathBuf,
        metadata: &fs::Metadata,
        is_wanted: bool,
    ) -> io::Result<()> {
        let is_own_output = own_outputs::is_executable(&path)?;
        if is_own_output && !is_wanted {
            self.own_outputs.push(self.shown(relative));
            return Ok(());
        }
        if let Some(secret) = secrets::in_file(relative, &path, metadata.len())? {
            let path = self.shown(relative);
            self.sink.emit(EmbeddedSecret { path, secret });
        }
        let file = EmbeddedFile {
            size: metadata.len(),
            is_executable: is_executable(metadata),
            source: path,
        };
        self.files.insert(relative.to_owned(), file);
        Ok(())
    }

    /// The path itself, or the target of the link.
    fn followed(&self, path: &Path, open: &[PathBuf]) -> Result<PathBuf, Cause> {
        if !path.is_symlink() {
            return Ok(path.to_owned());
        }
        let target = fs::read_link(path)
            .unwrap_or_default()
            .display()
            .to_string();
        match path.canonicalize() {
            Ok(real) if open.contains(&real) => Err(Cause::UselessLink { target }),
            Ok(real) if real.starts_with(&self.canonical_root) => Ok(real),
            Ok(_) => Err(Cause::OutsideLink { target }),
            Err(_) => Err(Cause::UselessLink { target }),
        }
    }

    /// As messages show it.
    fn shown(&self, relative: &str) -> String {
        self.location.shown(&self.location.folder.join(relative))
    }
}

#[cfg(unix)]
fn is_executable(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests;
