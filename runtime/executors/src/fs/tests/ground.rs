//! The fixture of the tests: a folder with a home in it, and a short notation for operations on it.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use hpdlc_files::{Access, AccessSettings, GLOB_MAX};
use tempfile::TempDir;

use crate::fs::{Fs, FsFailure, Operation};

/// A folder in which `@` at the start of a path stands for its URI.
pub(super) struct FsTestFolder {
    folder: TempDir,
}

impl FsTestFolder {
    /// Names that end in a slash are folders; the content of a file follows `=`.
    pub(super) fn new(names: &[&str]) -> FsTestFolder {
        let ground = FsTestFolder {
            folder: tempfile::tempdir().expect("a folder"),
        };
        fs::create_dir(ground.path("home")).expect("made");
        for name in names {
            ground.add(name);
        }
        ground
    }

    pub(super) fn add(&self, name: &str) {
        if name.ends_with('/') {
            fs::create_dir_all(self.path(name)).expect("made");
            return;
        }
        let (name, text) = name.split_once('=').unwrap_or((name, ""));
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("below the folder")).expect("made");
        fs::write(path, text).expect("written");
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn uri(&self, text: &str) -> String {
        match text.strip_prefix('@') {
            Some(name) => format!("file://{}/{name}", self.folder.path().display()),
            None => text.replace('#', &self.folder.path().display().to_string()),
        }
    }

    /// Every name in the folder, sorted, without the journal and an empty home.
    pub(super) fn tree(&self) -> Vec<String> {
        fn walk(root: &Path, folder: &Path, names: &mut Vec<String>) {
            for entry in fs::read_dir(folder).expect("read") {
                let entry = entry.expect("read");
                let path = entry.path();
                let name = path
                    .strip_prefix(root)
                    .expect("below")
                    .display()
                    .to_string();
                let is_folder = entry.file_type().expect("known").is_dir();
                names.push(if is_folder { format!("{name}/") } else { name });
                if is_folder {
                    walk(root, &path, names);
                }
            }
        }
        let mut names = Vec::new();
        walk(self.folder.path(), self.folder.path(), &mut names);
        names.retain(|name| name != "journal" && name != "home/");
        names.sort();
        names
    }

    pub(super) fn fs(&self, operations: Vec<Operation>) -> Fs {
        let place = |text: String| self.uri(&text);
        let operations = operations
            .into_iter()
            .map(|operation| match operation {
                Operation::Delete { path, skip_trash } => Operation::Delete {
                    path: place(path),
                    skip_trash,
                },
                Operation::Mkdir { path } => Operation::Mkdir { path: place(path) },
                Operation::Move { source, target } => Operation::Move {
                    source: place(source),
                    target: place(target),
                },
                Operation::Chmod {
                    path,
                    permissions,
                    dir_files,
                    recursive,
                } => Operation::Chmod {
                    path: place(path),
                    permissions,
                    dir_files,
                    recursive,
                },
                Operation::Chgrp {
                    path,
                    group,
                    dir_files,
                    recursive,
                } => Operation::Chgrp {
                    path: place(path),
                    group,
                    dir_files,
                    recursive,
                },
                Operation::Touchz { path } => Operation::Touchz { path: place(path) },
                Operation::Setrep { path, factor } => Operation::Setrep {
                    path: place(path),
                    factor,
                },
            })
            .collect();
        Fs {
            name_node: None,
            operations,
            glob_max: GLOB_MAX,
            of_proposal: false,
            access: AccessSettings::default(),
            limit: None,
        }
    }

    pub(super) fn run_all(&self, fs: &Fs) -> Result<(), FsFailure> {
        run_at_home(
            fs,
            &self.path("journal"),
            &AtomicBool::new(false),
            Some(self.path("home")),
        )
    }

    pub(super) fn run(&self, operation: Operation) -> Result<(), FsFailure> {
        self.run_all(&self.fs(vec![operation]))
    }
}

/// Runs the operations for a user with this home.
pub(super) fn run_at_home(
    fs: &Fs,
    journal: &Path,
    is_canceled: &AtomicBool,
    home: Option<PathBuf>,
) -> Result<(), FsFailure> {
    let mut access = Access::new(&fs.access, is_canceled);
    access.glob_max = fs.glob_max;
    access.local.home = home;
    fs.run_with(journal, access)
}

pub(super) fn delete(path: &str) -> Operation {
    Operation::Delete {
        path: path.to_owned(),
        skip_trash: true,
    }
}

pub(super) fn trash(path: &str) -> Operation {
    Operation::Delete {
        path: path.to_owned(),
        skip_trash: false,
    }
}

pub(super) fn mkdir(path: &str) -> Operation {
    Operation::Mkdir {
        path: path.to_owned(),
    }
}

pub(super) fn r#move(source: &str, target: &str) -> Operation {
    Operation::Move {
        source: source.to_owned(),
        target: target.to_owned(),
    }
}

pub(super) fn chmod(path: &str, permissions: &str, dir_files: bool, recursive: bool) -> Operation {
    let (path, permissions) = (path.to_owned(), permissions.to_owned());
    Operation::Chmod {
        path,
        permissions,
        dir_files,
        recursive,
    }
}

pub(super) fn chgrp(path: &str, group: &str) -> Operation {
    let (path, group) = (path.to_owned(), group.to_owned());
    Operation::Chgrp {
        path,
        group,
        dir_files: true,
        recursive: true,
    }
}

pub(super) fn touchz(path: &str) -> Operation {
    Operation::Touchz {
        path: path.to_owned(),
    }
}

pub(super) fn setrep(path: &str, factor: &str) -> Operation {
    Operation::Setrep {
        path: path.to_owned(),
        factor: factor.to_owned(),
    }
}
