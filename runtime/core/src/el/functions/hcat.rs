//! Functions of prefix `hcat`: tables and partitions in Hive's metastore.

use super::text;
use crate::{
    el::{error::ElError, scope::Scope, value::Value},
    hcat_uri::HcatUri,
};

functions! {
    EXISTS = "hcat:exists"(Text) -> Bool, Files, "whether a partition exists",
        |scope, args| exists(scope, text(args, 0)).map(Value::from);
}

/// `hcat:exists(uri)`: for a table, or for partitions of it.
///
/// # Errors
///
/// If it is not a table URI, or the metastore does not answer.
pub fn exists(scope: &dyn Scope, uri: &str) -> Result<bool, ElError> {
    let uri = uri.trim();
    if let Err(problem) = HcatUri::parse(uri) {
        // Without a job, `NeedsJob` takes precedence over a malformed URI.
        scope.job()?;
        return Err(ElError::function("hcat:exists", problem));
    }
    scope.files().exists(uri)
}
