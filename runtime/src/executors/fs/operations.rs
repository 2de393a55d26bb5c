//! Each operation of the `fs` action on local files.
//!
//! An operation first checks what Oozie checks, then writes that it begins, then acts. So an entry in the journal also says
//! that the checks passed once, and a redo may take what it finds for its own work.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use hpdlc_core::permissions::parse_permissions;
use rustix::fs::{Timespec, Timestamps, UTIME_NOW, futimens};

use crate::{
    executors::fs::{
        FsFailure, Operation,
        journal::Journal,
        permissions::{Change, Walk, group_id},
        relocate::{self, Relocation},
    },
    files::{PathError, Uri, glob, link_metadata, metadata, remove::remove_tree},
};

/// What the operations of an action share.
pub(super) struct Context<'a> {
    /// Has a scheme.
    pub(super) name_node: Option<Uri<'a>>,
    pub(super) glob_max: usize,
    /// Of the user: holds the trash, and relative targets stand on it.
    pub(super) home: Option<PathBuf>,
    pub(super) is_canceled: &'a AtomicBool,
}

impl Context<'_> {
    /// Checks, begins and acts; the caller writes that it is done.
    pub(super) fn perform(
        &self,
        index: usize,
        operation: &Operation,
        journal: &mut Journal,
    ) -> Result<(), FsFailure> {
        let begun = journal.begun(index, operation);
        let is_redo = begun.is_some();
        let begin =
            |journal: &mut Journal| journal.begin(index, operation).map_err(FsFailure::Machine);
        match operation {
            Operation::Delete {
                path,
                skip_trash: true,
            } => {
                let found = self.find(path)?;
                begin(journal)?;
                found.iter().try_for_each(|path| self.delete(path))
            }
            Operation::Delete {
                path,
                skip_trash: false,
            } => {
                let plan = || self.plan_trash(path);
                relocate::perform(index, operation, begun, plan, journal, self.is_canceled)
                    .map_err(|failure| failure.with_code("FS008", "FS005"))
            }
            Operation::Mkdir { path } => {
                let path = PathBuf::from(self.resolve(path)?);
                begin(journal)?;
                make_folder(&path)
            }
            Operation::Move { source, target } => {
                let plan = || self.plan_move(source, target);
                relocate::perform(index, operation, begun, plan, journal, self.is_canceled)
            }
            Operation::Chmod {
                path,
                permissions,
                dir_files,
                recursive,
            } => {
                let found = self.find_some("chmod", path)?;
                let mode = parse_permissions(permissions).ok_or_else(|| {
                    let message = format!(
                        "chmod {path}: `{permissions}` is neither three octal digits nor of the form -rwxrw-rw-"
                    );
                    FsFailure::new("FS010", message)
                })?;
                begin(journal)?;
                self.walk(Change::Mode(mode), *dir_files, *recursive, is_redo)
                    .change(&found)
            }
            Operation::Chgrp {
                path,
                group,
                dir_files,
                recursive,
            } => {
                let found = self.find_some("chgrp", path)?;
                let id = group_id(group)?;
                begin(journal)?;
                self.walk(Change::Group(id), *dir_files, *recursive, is_redo)
                    .change(&found)
            }
            Operation::Touchz { path } => {
                let path = PathBuf::from(self.resolve(path)?);
                touchz(&path, is_redo, || begin(journal))
            }
            Operation::Setrep { path, factor } => {
                // The name-node does not help here: `FsActionExecutor` wants the whole URI.
                self.resolve_on(None, path)?;
                if factor.parse::<i16>().is_err() {
                    let message = format!("setrep {path}: `{factor}` is not a replication factor");
                    return Err(FsFailure::new("NumberFormatException", message));
                }
                begin(journal)
            }
        }
    }

    /// The local path that a text of the action means (`resolveToFullPath`); may be a pattern.
    pub(super) fn resolve(&self, path: &str) -> Result<String, FsFailure> {
        self.resolve_on(self.name_node, path)
    }

    fn resolve_on(&self, name_node: Option<Uri<'_>>, path: &str) -> Result<String, FsFailure> {
        let uri = Uri::parse(path);
        let Some(name_node) = name_node else {
            if uri.scheme.is_none() {
                let message = format!(
                    "path `{path}` has no scheme, and the action no name-node; write `file:/...`"
                );
                return Err(FsFailure::new("FS001", message));
            }
            return uri.local_pattern().map_err(path_failure);
        };
        // A `file` URI never needs a host, so the name-node has nothing to add to it.
        if (uri.scheme.is_some() && uri.authority.is_some()) || uri.is_file() {
            return uri.local_pattern().map_err(path_failure);
        }
        if !uri.is_absolute() {
            return Err(path_failure(PathError::Relative {
                path: path.to_owned(),
            }));
        }
        Uri {
            path: uri.path,
            ..name_node
        }
        .local_pattern()
        .map_err(path_failure)
    }

    /// Every file that matches; none is fine.
    fn find(&self, path: &str) -> Result<Vec<PathBuf>, FsFailure> {
        glob::expand(&self.resolve(path)?, self.glob_max).map_err(FsFailure::glob)
    }

    /// Every file that matches; none is FS009.
    fn find_some(&self, operation: &str, path: &str) -> Result<Vec<PathBuf>, FsFailure> {
        let found = self.find(path)?;
        if found.is_empty() {
            let message = format!("{operation}: nothing matches path `{path}`");
            return Err(FsFailure::new("FS009", message));
        }
        Ok(found)
    }

    fn delete(&self, path: &Path) -> Result<(), FsFailure> {
        if path == Path::new("/") {
            return Err(FsFailure::new(
                "FS005",
                "delete: the root folder cannot be deleted",
            ));
        }
        remove_tree(path, self.is_canceled).map_err(FsFailure::remove)
    }

    fn walk(&self, change: Change, dir_files: bool, recursive: bool, is_redo: bool) -> Walk<'_> {
        Walk {
            change,
            dir_files,
            recursive,
            is_redo,
            is_canceled: self.is_canceled,
        }
    }

    fn plan_move(&self, source: &str, target: &str) -> Result<Vec<Relocation>, FsFailure> {
        let pattern = self.resolve(source)?;
        let target = self.resolve_target(target)?;
        let found = glob::expand(&pattern, self.glob_max).map_err(FsFailure::glob)?;
        if found.is_empty() {
            let message = format!("move: source path `{source}` does not exist");
            return Err(FsFailure::new("FS006", message));
        }
        let into_folder = metadata(&target)
            .map_err(|error| {
                FsFailure::io("FS008", format_args!("look at {}", target.display()), error)
            })?
            .is_some_and(|metadata| metadata.is_dir());
        if found.len() > 1 && !into_folder {
            let message = format!(
                "move: {} sources match `{source}`, and target {} is not a folder",
                found.len(),
                target.display()
            );
            return Err(FsFailure::new("FS012", message));
        }
        let mut plan = Vec::new();
        for from in found {
            let Some(name) = from.file_name() else {
                return Err(FsFailure::new(
                    "FS008",
                    "move: the root folder cannot be moved",
                ));
            };
            let to = if into_folder {
                target.join(name)
            } else {
                target.clone()
            };
            // HDFS takes a file moved onto itself for moved.
            if from != to {
                plan.push(Relocation::new(from, to));
            }
        }
        Ok(plan)
    }

    /// A target stands on the file system of its source, which is this machine's; a relative one on the user's home.
    fn resolve_target(&self, target: &str) -> Result<PathBuf, FsFailure> {
        let uri = Uri::parse(target);
        match uri.local_pattern() {
            Ok(path) => Ok(PathBuf::from(path)),
            Err(PathError::UnsupportedScheme { .. } | PathError::OtherHost { .. }) => {
                let message =
                    format!("move: target `{target}` is on another file system than the source");
                Err(FsFailure::new("FS007", message))
            }
            Err(PathError::Relative { path }) => match &self.home {
                Some(home) if !path.is_empty() => {
                    let whole = format!("{}/{path}", home.to_string_lossy());
                    Uri::parse(&whole)
                        .local_pattern()
                        .map(PathBuf::from)
                        .map_err(path_failure)
                }
                Some(_) | None => Err(path_failure(PathError::Relative { path })),
            },
        }
    }

    /// Into the trash as Hadoop keeps it: the whole path below `.Trash/Current` in the user's home (`TrashPolicyDefault`).
    fn plan_trash(&self, path: &str) -> Result<Vec<Relocation>, FsFailure> {
        let failure =
            |problem: String| FsFailure::new("FS005", format!("delete {path}: {problem}"));
        let found = self.find(path)?;
        let home = self
            .home
            .as_ref()
            .ok_or_else(|| failure("there is no trash, because HOME is not set".to_owned()))?;
        let trash = home.join(".Trash");
        let mut plan = Vec::new();
        for from in found {
            if from.starts_with(&trash) {
                return Err(failure(format!(
                    "{} is in the trash already",
                    from.display()
                )));
            }
            if trash.starts_with(&from) {
                return Err(failure(format!("the trash {} is in it", trash.display())));
            }
            let below = from.strip_prefix("/").unwrap_or(&from);
            let wanted = trash.join("Current").join(below);
            if let Some(folder) = wanted.parent() {
                fs::create_dir_all(folder).map_err(|error| {
                    FsFailure::io("FS005", format_args!("make {}", folder.display()), error)
                })?;
            }
            let is_taken = |name: &Path| plan.iter().any(|it: &Relocation| it.to == name);
            let to = relocate::free_name(&wanted, is_taken).map_err(|error| {
                FsFailure::io("FS005", format_args!("look at {}", wanted.display()), error)
            })?;
            plan.push(Relocation::new(from, to));
        }
        Ok(plan)
    }
}

fn path_failure(error: PathError) -> FsFailure {
    let code = match error {
        PathError::UnsupportedScheme { .. } | PathError::OtherHost { .. } => "FS002",
        PathError::Relative { .. } => "FS011",
    };
    FsFailure::new(code, error.to_string())
}

/// Makes a folder and those above it; whatever is there already is fine, even a file.
pub(crate) fn make_folder(path: &Path) -> Result<(), FsFailure> {
    let failure = |error| {
        FsFailure::io(
            "FS004",
            format_args!("make folder {}", path.display()),
            error,
        )
    };
    // Below a file nothing is, and nothing can be made: that is for the making to report.
    if metadata(path).map_err(failure)?.is_some() {
        return Ok(());
    }
    fs::create_dir_all(path).map_err(failure)
}

fn touchz(
    path: &Path,
    is_redo: bool,
    begin: impl FnOnce() -> Result<(), FsFailure>,
) -> Result<(), FsFailure> {
    let failure = |error| {
        FsFailure::io(
            "IOException",
            format_args!("touch {}", path.display()),
            error,
        )
    };
    if let Some(metadata) = metadata(path).map_err(failure)? {
        if metadata.is_dir() {
            let message = format!("touchz: {} is a folder", path.display());
            return Err(FsFailure::new("Exception", message));
        }
        if metadata.len() != 0 {
            // It was missing or empty when this operation began, so it has been touched, and somebody has filled it since.
            if is_redo {
                return Ok(());
            }
            let message = format!("touchz: {} is not empty", path.display());
            return Err(FsFailure::new("Exception", message));
        }
    }
    begin()?;
    if let Some(folder) = path.parent()
        && link_metadata(folder).map_err(failure)?.is_none()
    {
        fs::create_dir_all(folder).map_err(failure)?;
    }
    let file = File::options()
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(failure)?;
    let now = Timespec {
        tv_sec: 0,
        tv_nsec: UTIME_NOW,
    };
    futimens(
        &file,
        &Timestamps {
            last_access: now,
            last_modification: now,
        },
    )
    .map_err(|error| failure(error.into()))
}
