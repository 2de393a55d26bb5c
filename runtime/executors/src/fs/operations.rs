//! Each operation of the `fs` action.
//!
//! An operation first checks what Oozie checks, then records that it begins, then acts. So an entry in the journal also means
//! that the checks passed once, and a redo may assume that what it finds is its own work.

use std::{
    io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use hpdlc_core::permissions::parse_permissions;
use hpdlc_files::{
    Access, FileSystem, LocatedFile, PathError, Uri, error::Fault, glob, normalize,
    remove::RemoveError, uri_on,
};

use crate::fs::{
    FsFailure, Operation,
    journal::OperationJournal,
    permissions::{PermissionChange, PermissionWalk},
    relocate,
    relocation::Relocation,
};

/// State that the operations of an action share.
pub(super) struct OperationContext<'a> {
    /// Has a scheme.
    pub(super) name_node: Option<Uri<'a>>,
    pub(super) access: Access<'a>,
    pub(super) is_canceled: &'a AtomicBool,
}

/// The files that a path or pattern of an operation refers to.
struct Matches<'a> {
    system: Box<dyn FileSystem + 'a>,
    paths: Vec<PathBuf>,
}

impl<'a> OperationContext<'a> {
    /// Checks, records the beginning and acts; the caller records that it is done.
    pub(super) fn perform(
        &self,
        index: usize,
        operation: &Operation,
        journal: &mut OperationJournal,
    ) -> Result<(), FsFailure> {
        let begun = journal.begun(index, operation);
        let is_redo = begun.is_some();
        let begin = |journal: &mut OperationJournal| {
            journal.begin(index, operation).map_err(FsFailure::Machine)
        };
        match operation {
            Operation::Delete {
                path,
                skip_trash: true,
            } => {
                let found = self.find(path)?;
                begin(journal)?;
                let system = &*found.system;
                found
                    .paths
                    .iter()
                    .try_for_each(|path| self.delete(system, path))
            }
            Operation::Delete {
                path,
                skip_trash: false,
            } => {
                let located = self.resolve(path)?;
                let plan = || self.plan_trash(path, &located);
                let system = &*located.system;
                relocate::perform(
                    index,
                    operation,
                    begun,
                    plan,
                    journal,
                    system,
                    self.is_canceled,
                )
                .map_err(|failure| failure.of_trash(path))
            }
            Operation::Mkdir { path } => {
                let located = self.resolve(path)?;
                begin(journal)?;
                make_folder(&located)
            }
            Operation::Move { source, target } => {
                let located = self.resolve(source)?;
                let plan = || self.plan_move(&located, target);
                let system = &*located.system;
                relocate::perform(
                    index,
                    operation,
                    begun,
                    plan,
                    journal,
                    system,
                    self.is_canceled,
                )
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
                        "chmod, path [{path}] invalid permissions mask [{permissions}]: expected three octal digits or the form -rwxrw-rw-"
                    );
                    // A text of the right length is parsed as a number before any other check.
                    let code = match permissions.len() {
                        3 => "NumberFormatException",
                        _ => "FS010",
                    };
                    FsFailure::new(code, message)
                })?;
                begin(journal)?;
                let change = PermissionChange::Mode(mode);
                self.walk(&*found.system, change, *dir_files, *recursive, is_redo)
                    .change(&found.paths)
            }
            Operation::Chgrp {
                path,
                group,
                dir_files,
                recursive,
            } => {
                let found = self.find_some("chgrp", path)?;
                let group = found.system.group(group).map_err(|error| {
                    if Fault::of(&error).is_some() {
                        return FsFailure::io("IOException", format_args!("chgrp {path}"), error);
                    }
                    FsFailure::new("IOException", format!("chgrp: {error}"))
                })?;
                begin(journal)?;
                let change = PermissionChange::Group(group);
                self.walk(&*found.system, change, *dir_files, *recursive, is_redo)
                    .change(&found.paths)
            }
            Operation::Touchz { path } => touchz(&self.resolve(path)?, is_redo, || begin(journal)),
            Operation::Setrep { path, factor } => {
                // The name node is not used here: `FsActionExecutor` requires the whole URI.
                let located = self.resolve_on(None, path)?;
                let factor = factor.parse::<i16>().map_err(|_| {
                    let message = format!("setrep {path}: `{factor}` is not a replication factor");
                    FsFailure::new("NumberFormatException", message)
                })?;
                begin(journal)?;
                set_replication(&located, factor)
            }
        }
    }

    /// Resolves a path of the action (`resolveToFullPath`); it may be a pattern.
    pub(super) fn resolve(&self, path: &str) -> Result<LocatedFile<'a>, FsFailure> {
        self.resolve_on(self.name_node, path)
    }

    fn resolve_on(
        &self,
        name_node: Option<Uri<'_>>,
        path: &str,
    ) -> Result<LocatedFile<'a>, FsFailure> {
        let uri = Uri::parse(path);
        let Some(name_node) = name_node else {
            if uri.scheme.is_none() {
                let message = format!(
                    "Missing scheme in path [{path}], and the action has no name-node; write `file:/...`"
                );
                return Err(FsFailure::new("FS001", message));
            }
            return self.access.locate(&uri).map_err(FsFailure::path);
        };
        // A `file` URI never needs a host, so the name node has nothing to add to it.
        if (uri.scheme.is_some() && uri.authority.is_some()) || uri.is_file() {
            return self.access.locate(&uri).map_err(FsFailure::path);
        }
        if !uri.is_absolute() {
            let message = format!("Path [{path}] cannot be relative");
            return Err(FsFailure::new("FS011", message));
        }
        let on_name_node = Uri {
            path: uri.path,
            ..name_node
        };
        self.access.locate(&on_name_node).map_err(FsFailure::path)
    }

    /// The user's home on the file system of paths without a scheme.
    pub(super) fn home(&self) -> Result<Option<PathBuf>, FsFailure> {
        let Some(name_node) = &self.name_node else {
            return Ok(self.access.local.home());
        };
        let system = self.access.system(name_node).map_err(FsFailure::path)?;
        Ok(system.home())
    }

    /// All files that match, possibly none.
    fn find(&self, path: &str) -> Result<Matches<'a>, FsFailure> {
        let located = self.resolve(path)?;
        let paths = self.expand(&located)?;
        Ok(Matches {
            system: located.system,
            paths,
        })
    }

    fn expand(&self, located: &LocatedFile<'_>) -> Result<Vec<PathBuf>, FsFailure> {
        glob::expand(&*located.system, &located.pattern, self.access.glob_max)
            .map_err(FsFailure::glob)
    }

    /// All files that match; FS009 if there are none.
    fn find_some(&self, operation: &str, path: &str) -> Result<Matches<'a>, FsFailure> {
        let located = self.resolve(path)?;
        let paths = self.expand(&located)?;
        if paths.is_empty() {
            let message = format!(
                "{operation}, path(s) that matches [{}] does not exist",
                located.uri()
            );
            return Err(FsFailure::new("FS009", message));
        }
        Ok(Matches {
            system: located.system,
            paths,
        })
    }

    fn delete(&self, system: &dyn FileSystem, path: &Path) -> Result<(), FsFailure> {
        if path == Path::new("/") {
            return Err(FsFailure::new(
                "FS005",
                "delete, path [/] could not delete path: it is the root folder",
            ));
        }
        if self.is_canceled.load(Ordering::Relaxed) {
            return Err(FsFailure::canceled());
        }
        system.remove(path).map_err(|error| match error {
            RemoveError::Canceled => FsFailure::canceled(),
            RemoveError::Io { path: at, error } => {
                let at = match at == path {
                    true => String::new(),
                    false => format!("{}: ", at.display()),
                };
                let path = uri_on(system, path);
                FsFailure::io_of(
                    "FS005",
                    &format!("delete, path [{path}] could not delete path: {at}{error}"),
                    &error,
                )
            }
        })
    }

    fn walk<'w>(
        &'w self,
        system: &'w dyn FileSystem,
        change: PermissionChange,
        dir_files: bool,
        recursive: bool,
        is_redo: bool,
    ) -> PermissionWalk<'w> {
        PermissionWalk {
            system,
            change,
            dir_files,
            recursive,
            is_redo,
            is_canceled: self.is_canceled,
        }
    }

    fn plan_move(
        &self,
        located: &LocatedFile<'_>,
        target: &str,
    ) -> Result<Vec<Relocation>, FsFailure> {
        let system = &*located.system;
        let target = self.resolve_target(system, target)?;
        let found = self.expand(located)?;
        if found.is_empty() {
            let message = format!("move, source path [{}] does not exist", located.uri());
            return Err(FsFailure::new("FS006", message));
        }
        let into_folder = system
            .status(&target)
            .map_err(|error| {
                FsFailure::io("FS008", format_args!("look at {}", target.display()), error)
            })?
            .is_some_and(|status| status.is_folder);
        if found.len() > 1 && !into_folder {
            let message = format!(
                "move, could not rename multiple sources to the same target name: {} sources match [{}], and target [{}] is not a folder",
                found.len(),
                located.uri(),
                uri_on(system, &target)
            );
            return Err(FsFailure::new("FS012", message));
        }
        let mut plan = Vec::new();
        for from in found {
            let Some(name) = from.file_name() else {
                return Err(FsFailure::new(
                    "FS008",
                    "move, could not move [/]: it is the root folder",
                ));
            };
            let to = if into_folder {
                target.join(name)
            } else {
                target.clone()
            };
            // HDFS treats moving a file onto itself as a success.
            if from != to {
                plan.push(Relocation::new(from, to));
            }
        }
        Ok(plan)
    }

    /// A target is on the file system of its source; a relative one is below the user's home there.
    fn resolve_target(&self, system: &dyn FileSystem, target: &str) -> Result<PathBuf, FsFailure> {
        let uri = Uri::parse(target);
        let is_elsewhere = || {
            let message = format!("move, target NN URI different from that of source: [{target}]");
            FsFailure::new("FS007", message)
        };
        let path = match uri.scheme {
            None => uri.path.to_owned(),
            Some(_) => {
                let target = self.access.system(&uri).map_err(|error| match error {
                    PathError::UnsupportedScheme { .. } | PathError::OtherHost { .. } => {
                        is_elsewhere()
                    }
                    PathError::ForbiddenScheme { .. }
                    | PathError::Unreachable { .. }
                    | PathError::Relative { .. } => FsFailure::path(error),
                })?;
                if target.name() != system.name() {
                    return Err(is_elsewhere());
                }
                uri.path.to_owned()
            }
        };
        if path.starts_with('/') {
            return Ok(PathBuf::from(normalize(&path)));
        }
        match system.home() {
            Some(home) if !path.is_empty() => Ok(PathBuf::from(normalize(&format!(
                "{}/{path}",
                home.to_string_lossy()
            )))),
            Some(_) | None => Err(FsFailure::path(PathError::Relative { path })),
        }
    }

    /// A move into the trash as Hadoop lays it out: the whole path below `.Trash/Current` in the user's home (`TrashPolicyDefault`).
    fn plan_trash(
        &self,
        path: &str,
        located: &LocatedFile<'_>,
    ) -> Result<Vec<Relocation>, FsFailure> {
        let failure = |problem: String| {
            FsFailure::new(
                "FS005",
                format!("Could not move path [{path}] to trash on delete: {problem}"),
            )
        };
        let system = &*located.system;
        let found = self.expand(located)?;
        let trash = system.trash().map_err(|error| {
            if Fault::of(&error).is_some() {
                return FsFailure::io("FS005", format_args!("delete {path}"), error);
            }
            failure(error.to_string())
        })?;
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
                system.make_private_folders(folder).map_err(|error| {
                    FsFailure::io("FS005", format_args!("make {}", folder.display()), error)
                })?;
            }
            let is_taken = |name: &Path| plan.iter().any(|it: &Relocation| it.to == name);
            let to = relocate::free_name(system, &wanted, is_taken).map_err(|error| {
                FsFailure::io("FS005", format_args!("look at {}", wanted.display()), error)
            })?;
            plan.push(Relocation::new(from, to));
        }
        Ok(plan)
    }
}

/// Creates a folder and its parents; anything that exists there already is fine, even a file.
pub fn make_folder(located: &LocatedFile<'_>) -> Result<(), FsFailure> {
    let path = located.path();
    let failure = |error: io::Error| {
        let message = format!(
            "mkdir, path [{}] could not create directory: {error}",
            located.uri()
        );
        FsFailure::io_of("FS004", &message, &error)
    };
    // Nothing can exist or be created below a file; creating the folder reports that.
    if located.system.status(&path).map_err(failure)?.is_some() {
        return Ok(());
    }
    located.system.make_folders(&path).map_err(failure)
}

fn touchz(
    located: &LocatedFile<'_>,
    is_redo: bool,
    begin: impl FnOnce() -> Result<(), FsFailure>,
) -> Result<(), FsFailure> {
    let path = located.path();
    let failure = |error| {
        FsFailure::io(
            "IOException",
            format_args!("touch {}", path.display()),
            error,
        )
    };
    if let Some(status) = located.system.status(&path).map_err(failure)? {
        if status.is_folder {
            let message = format!("{} is a directory", located.uri());
            return Err(FsFailure::new("Exception", message));
        }
        if status.length != 0 {
            // It was missing or empty when this operation began, so it has been touched, and another process has filled it since.
            if is_redo {
                return Ok(());
            }
            let message = format!("{} must be a zero-length file", located.uri());
            return Err(FsFailure::new("Exception", message));
        }
    }
    begin()?;
    located.system.touch(&path).map_err(failure)
}

/// Sets the replication of a file; a folder has none.
fn set_replication(located: &LocatedFile<'_>, factor: i16) -> Result<(), FsFailure> {
    let path = located.path();
    let failure = |error| {
        FsFailure::io(
            "IOException",
            format_args!("set the replication of {}", path.display()),
            error,
        )
    };
    let status = located.system.status(&path).map_err(failure)?;
    if status.is_some_and(|status| !status.is_folder) {
        located
            .system
            .set_replication(&path, factor)
            .map_err(failure)?;
    }
    Ok(())
}
