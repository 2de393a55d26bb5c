//! Refuses operations on paths that lose a part, because a property or an expression in them is empty.

use std::collections::BTreeMap;

use hpdlc_core::{
    el::scope::Scope,
    empty_parts::{self, Lost},
    visible,
};
use hpdlc_program::{
    failure::ActionError,
    table::{FsOperation, PrepareOperation, Template},
};

use crate::Evaluation;

/// The error code of such an operation; the action has changed nothing.
const CODE: &str = "HPDL_EMPTY_PATH_PART";

/// Whether the settings of the job and the site permit such operations.
pub fn are_allowed(conf: &BTreeMap<String, String>, site: &BTreeMap<String, String>) -> bool {
    let setting = conf
        .get(empty_parts::SETTING)
        .or_else(|| site.get(empty_parts::SETTING));
    setting.is_some_and(|value| value.trim() == "allow")
}

/// What is wrong with a path that loses a part, `None` for any other. `lost`: the job's properties whose own values have lost a part.
pub fn problem(path: &Template, scope: &dyn Scope, lost: &Lost) -> Option<String> {
    let part = path.lost_part(scope, lost)?;
    let value = hpdlc_program::evaluate::evaluate_text(scope, &part).ok();
    Some(words(&path.source(), &part, value.as_deref()))
}

/// The message about the path `source`, which loses its part `part`; `value` is the value of that part.
pub fn words(source: &str, part: &str, value: Option<&str>) -> String {
    let what = match value.map(str::trim).unwrap_or_default() {
        value if value.split('/').all(|name| matches!(name.trim(), "" | ".")) => {
            "is empty".to_owned()
        }
        value => format!(
            "is `{}`, in which the value of a property is empty",
            visible::line(value)
        ),
    };
    format!(
        "`{part}` in the path `{source}` {what}, so that the path means another place; \
         give it a value, or set {}=allow",
        empty_parts::SETTING
    )
}

/// Refuses the action if one of the paths that it works on loses a part.
pub fn refuse<'t>(
    cx: &Evaluation<'_>,
    mut paths: impl Iterator<Item = &'t Template>,
) -> Result<(), ActionError> {
    if are_allowed(cx.conf, cx.site) {
        return Ok(());
    }
    let lost = Lost::of_job(cx.conf);
    match paths.find_map(|path| problem(path, cx.scope, &lost)) {
        Some(problem) => Err(ActionError::error(CODE, problem)),
        None => Ok(()),
    }
}

/// The paths of a `prepare`.
pub fn of_prepare(operations: &[PrepareOperation]) -> impl Iterator<Item = &Template> {
    operations.iter().map(PrepareOperation::path)
}

/// The paths of an `fs` action.
pub fn of_fs(operations: &[FsOperation]) -> impl Iterator<Item = &Template> {
    operations.iter().flat_map(FsOperation::paths)
}
