//! The rules of the proposal of 2009 (its section 3.2.4): relative paths start at the user's home, no path is a pattern, and
//! before the first operation it is checked that the sources of moves exist and their targets do not.

use std::path::{Path, PathBuf};

use hpdlc_files::{FileSystem, LocatedFile, Uri};

use crate::fs::{FsFailure, Operation, operations::OperationContext};

/// The operations with their paths rewritten for Oozie's rules.
pub(super) fn resolved(operations: &[Operation], home: Option<&Path>) -> Vec<Operation> {
    let place = |path: &str| on_home(path, home);
    operations
        .iter()
        .map(|operation| match operation {
            Operation::Delete { path, skip_trash } => Operation::Delete {
                path: literal_pattern(&place(path)),
                skip_trash: *skip_trash,
            },
            Operation::Mkdir { path } => Operation::Mkdir { path: place(path) },
            Operation::Move { source, target } => Operation::Move {
                source: literal_pattern(&place(source)),
                target: place(target),
            },
            // The proposal has no other operations.
            Operation::Chmod { .. }
            | Operation::Chgrp { .. }
            | Operation::Touchz { .. }
            | Operation::Setrep { .. } => operation.clone(),
        })
        .collect()
}

/// A path that is neither absolute nor a URI is relative to the home; an empty one is kept, and refused when it is used.
fn on_home(path: &str, home: Option<&Path>) -> String {
    let uri = Uri::parse(path);
    match home {
        Some(home) if uri.scheme.is_none() && !path.is_empty() && !uri.is_absolute() => {
            format!("{}/{path}", home.to_string_lossy().trim_end_matches('/'))
        }
        Some(_) | None => path.to_owned(),
    }
}

/// The pattern that only this path matches.
fn literal_pattern(path: &str) -> String {
    let mut pattern = String::with_capacity(path.len());
    for character in path.chars() {
        if matches!(character, '\\' | '*' | '?' | '[' | ']' | '{' | '}') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern
}

/// The path that a pattern of [`literal_pattern`] matches.
fn literal(pattern: &str) -> String {
    let mut path = String::with_capacity(pattern.len());
    let mut is_escaped = false;
    for character in pattern.chars() {
        if character == '\\' && !is_escaped {
            is_escaped = true;
        } else {
            is_escaped = false;
            path.push(character);
        }
    }
    path
}

/// The effect that earlier operations will have had on a path.
enum FsProposalChange {
    Made(Where),
    Gone(Where),
}

/// A path on the file system of that name.
struct Where {
    system: String,
    path: PathBuf,
}

impl Where {
    fn new(located: &LocatedFile<'_>) -> Where {
        Where {
            system: located.system.name().to_owned(),
            path: located.path(),
        }
    }

    /// Whether `path` is this one or below it.
    fn holds(&self, system: &dyn FileSystem, path: &Path) -> bool {
        self.system == system.name() && path.starts_with(&self.path)
    }

    /// Whether this path is `path` or below it.
    fn is_below(&self, system: &dyn FileSystem, path: &Path) -> bool {
        self.system == system.name() && self.path.starts_with(path)
    }
}

/// Checks the moves in advance, given the effects of the operations before them.
///
/// # Errors
///
/// FS006 if a source is missing, FS008 if a target exists, and errors in a path.
pub(super) fn check(
    context: &OperationContext<'_>,
    operations: &[Operation],
) -> Result<(), FsFailure> {
    let mut changes = Vec::new();
    for operation in operations {
        match operation {
            Operation::Delete { path, .. } => {
                let located = context.resolve(&literal(path))?;
                changes.push(FsProposalChange::Gone(Where::new(&located)));
            }
            Operation::Mkdir { path } => {
                changes.push(FsProposalChange::Made(Where::new(&context.resolve(path)?)));
            }
            Operation::Move { source, target } => {
                let source = literal(source);
                let from = context.resolve(&source)?;
                let to = context.resolve(target)?;
                if exists(&changes, &*from.system, &from.path())? == Some(false) {
                    let message = format!("move, source path [{}] does not exist", from.uri());
                    return Err(FsFailure::new("FS006", message));
                }
                if exists(&changes, &*to.system, &to.path())? == Some(true) {
                    let message = format!(
                        "move, could not move [{}] to [{}]: the target exists already",
                        from.uri(),
                        to.uri()
                    );
                    return Err(FsFailure::new("FS008", message));
                }
                let has_parent = to.path().parent().map_or(Ok(Some(true)), |folder| {
                    exists(&changes, &*to.system, folder)
                })?;
                if has_parent == Some(false) {
                    let message = format!(
                        "move, could not move [{}] to [{}]: the folder of the target does not exist",
                        from.uri(),
                        to.uri()
                    );
                    return Err(FsFailure::new("FS008", message));
                }
                changes.push(FsProposalChange::Gone(Where::new(&from)));
                changes.push(FsProposalChange::Made(Where::new(&to)));
            }
            Operation::Chmod { .. }
            | Operation::Chgrp { .. }
            | Operation::Touchz { .. }
            | Operation::Setrep { .. } => {}
        }
    }
    Ok(())
}

/// Whether `path` will exist; `None` if that depends on the content of something that is moved.
fn exists(
    changes: &[FsProposalChange],
    system: &dyn FileSystem,
    path: &Path,
) -> Result<Option<bool>, FsFailure> {
    for change in changes.iter().rev() {
        match change {
            // Parent folders are created with it.
            FsProposalChange::Made(made) if made.is_below(system, path) => return Ok(Some(true)),
            FsProposalChange::Made(made) if made.holds(system, path) => return Ok(None),
            FsProposalChange::Gone(gone) if gone.holds(system, path) => return Ok(Some(false)),
            FsProposalChange::Made(_) | FsProposalChange::Gone(_) => {}
        }
    }
    match system.status(path) {
        Ok(found) => Ok(Some(found.is_some())),
        Err(error) => Err(FsFailure::io(
            "FS008",
            format_args!("look at {}", path.display()),
            error,
        )),
    }
}
