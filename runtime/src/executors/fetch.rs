//! Files of an action that lie elsewhere: where each is, and a copy of it on this machine.

use std::path::Path;

use crate::{
    executors::ActionError,
    files::{Access, Located, PathError, Uri, fault},
};

/// The file system of `uri`, and the path on it.
///
/// # Errors
///
/// As [`out_of_reach`].
pub fn locate<'a>(access: &Access<'a>, uri: &str) -> Result<Located<'a>, ActionError> {
    access
        .locate(&Uri::parse(uri))
        .map_err(|error| out_of_reach(&error))
}

/// What a path is to the action that no file system has or that the site does not allow: HadoopAccessorException, the class of
/// Oozie's `HadoopAccessorService`.
pub fn out_of_reach(error: &PathError) -> ActionError {
    ActionError::error("HadoopAccessorException", error.to_string())
}

/// Copies a file from wherever it lies. Blocks.
///
/// # Errors
///
/// As [`locate`]; JA008: it is missing; JA001 to JA009: its file system fails.
pub fn fetch(uri: &str, to: &Path, access: &Access<'_>) -> Result<(), ActionError> {
    let located = locate(access, uri)?;
    let fetched = located.system.get(&located.path(), to);
    fetched.map_err(|error| fault::of_file(&error, &format!("cannot fetch {uri}")))
}
