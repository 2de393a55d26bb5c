//! Refuses operations on paths that lose a part, because a property or an expression in them is empty.

use std::collections::BTreeMap;

use hpdlc_core::{el::scope::Scope, empty_parts};

use crate::{
    executors::{ActionError, Evaluation},
    table::{self, FsOperation, PrepareOperation, Template},
};

/// The error code of such an operation; nothing of its action has been done.
const CODE: &str = "HPDL_EMPTY_PATH_PART";

/// Whether the settings of a job and the site let such operations be done.
pub fn are_allowed(conf: &BTreeMap<String, String>, site: &BTreeMap<String, String>) -> bool {
    let setting = conf
        .get(empty_parts::SETTING)
        .or_else(|| site.get(empty_parts::SETTING));
    setting.is_some_and(|value| value.trim() == "allow")
}

/// What is wrong with a path that loses a part.
pub fn problem(path: &Template, scope: &dyn Scope) -> Option<String> {
    let source = path.source();
    let lost = empty_parts::first_of_text(source, |text| table::evaluate(scope, text).ok())?;
    Some(words(source, lost))
}

/// What is said of the path `source`, which loses the part `lost`.
pub fn words(source: &str, lost: &str) -> String {
    format!(
        "`{lost}` in the path `{source}` is empty, so that the path means another place; \
         give it a value, or set {}=allow",
        empty_parts::SETTING
    )
}

/// Refuses the action where one of the paths that it works on loses a part.
pub fn refuse<'t>(
    cx: &Evaluation<'_>,
    mut paths: impl Iterator<Item = &'t Template>,
) -> Result<(), ActionError> {
    if are_allowed(cx.conf, cx.site) {
        return Ok(());
    }
    match paths.find_map(|path| problem(path, cx.scope)) {
        Some(problem) => Err(ActionError::error(CODE, problem)),
        None => Ok(()),
    }
}

/// The paths of a `prepare`.
pub fn of_prepare(operations: &[PrepareOperation]) -> impl Iterator<Item = &Template> {
    operations.iter().map(|operation| match operation {
        PrepareOperation::Delete(path) | PrepareOperation::Mkdir(path) => path,
    })
}

/// The paths of an `fs` action.
pub fn of_fs(operations: &[FsOperation]) -> impl Iterator<Item = &Template> {
    operations
        .iter()
        .flat_map(|operation| match operation {
            FsOperation::Delete { path, .. }
            | FsOperation::Mkdir { path }
            | FsOperation::Chmod { path, .. }
            | FsOperation::Chgrp { path, .. }
            | FsOperation::Touchz { path }
            | FsOperation::Setrep { path, .. } => [Some(path), None],
            FsOperation::Move { source, target } => [Some(source), Some(target)],
        })
        .flatten()
}
