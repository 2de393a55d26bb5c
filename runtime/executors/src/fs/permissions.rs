//! `chmod` and `chgrp`: which files of a tree are changed, and to what.
//!
//! A folder is changed after its content, since the new permissions may make that inaccessible.

use std::{
    io,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use hpdlc_files::{
    FileSystem,
    system::{DirEntry, FileGroup},
    uri_on,
};

use crate::fs::FsFailure;

#[derive(Clone, Debug)]
pub(super) enum PermissionChange {
    /// Permission bits.
    Mode(u32),
    Group(FileGroup),
}

impl PermissionChange {
    fn apply(&self, system: &dyn FileSystem, path: &Path, is_link: bool) -> io::Result<()> {
        match self {
            // A link has no permissions of its own, and its target is outside the tree.
            PermissionChange::Mode(_) if is_link => Ok(()),
            PermissionChange::Mode(mode) => system.set_permission(path, *mode),
            PermissionChange::Group(group) => system.set_group(path, group, is_link),
        }
    }

    fn stands(&self, system: &dyn FileSystem, path: &Path) -> bool {
        let Ok(Some(status)) = system.status(path) else {
            return false;
        };
        match self {
            PermissionChange::Mode(mode) => status.mode == Some(*mode),
            PermissionChange::Group(group) => status.group.as_ref() == Some(group),
        }
    }

    fn operation(&self) -> &'static str {
        match self {
            PermissionChange::Mode(_) => "chmod",
            PermissionChange::Group(_) => "chgrp",
        }
    }

    fn verb(&self) -> &'static str {
        match self {
            PermissionChange::Mode(_) => "change permissions of",
            PermissionChange::Group(_) => "change the group of",
        }
    }
}

/// How far below the named paths a change goes (`FsActionExecutor.recursiveFsOperation`).
pub(super) struct PermissionWalk<'a> {
    pub(super) system: &'a dyn FileSystem,
    pub(super) change: PermissionChange,
    /// Also the direct children of a named folder. Without it, `recursive` has no effect.
    pub(super) dir_files: bool,
    /// Also everything in the subfolders of named folders, at any depth.
    pub(super) recursive: bool,
    /// The change has begun before: a folder that has become inaccessible is finished.
    pub(super) is_redo: bool,
    pub(super) is_canceled: &'a AtomicBool,
}

impl PermissionWalk<'_> {
    /// Changes `paths`. Links among `paths` themselves are followed, those below are not.
    pub(super) fn change(&self, paths: &[impl AsRef<Path>]) -> Result<(), FsFailure> {
        for path in paths {
            let path = path.as_ref();
            let status = self.system.status(path);
            let Some(status) = status.map_err(|error| self.failure(path, error))? else {
                let message = format!(
                    "{}, path(s) that matches [{}] does not exist: it is a link to nothing",
                    self.change.operation(),
                    uri_on(self.system, path)
                );
                return Err(FsFailure::new("FS009", message));
            };
            if status.is_folder && self.dir_files {
                self.change_folder(path)?;
            } else {
                self.apply(path, false)?;
            }
        }
        Ok(())
    }

    fn change_folder(&self, folder: &Path) -> Result<(), FsFailure> {
        match self.system.list(folder) {
            Ok(entries) => {
                for entry in entries.unwrap_or_default() {
                    self.change_entry(folder, &entry)?;
                }
            }
            Err(error)
                if self.is_redo
                    && error.kind() == io::ErrorKind::PermissionDenied
                    && self.change.stands(self.system, folder) =>
            {
                return Ok(());
            }
            Err(error) => return Err(self.failure(folder, error)),
        }
        self.apply(folder, false)
    }

    fn change_entry(&self, folder: &Path, entry: &DirEntry) -> Result<(), FsFailure> {
        if self.is_canceled.load(Ordering::Relaxed) {
            return Err(FsFailure::canceled());
        }
        let path = folder.join(&entry.name);
        if entry.is_folder && self.recursive {
            self.change_folder(&path)
        } else {
            self.apply(&path, entry.is_link)
        }
    }

    fn apply(&self, path: &Path, is_link: bool) -> Result<(), FsFailure> {
        self.change
            .apply(self.system, path, is_link)
            .map_err(|error| self.failure(path, error))
    }

    fn failure(&self, path: &Path, error: io::Error) -> FsFailure {
        FsFailure::io(
            "IOException",
            format_args!("{} {}", self.change.verb(), path.display()),
            error,
        )
    }
}
