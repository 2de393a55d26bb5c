//! Functions of prefix `hcat`: tables and partitions in Hive's metastore.

use super::{Function, Needs, WORKFLOW, text};
use crate::{
    el::{error::ElError, scope::Scope, types::Type, value::Value},
    hcat_uri::HcatUri,
};

functions! {
    EXISTS = Function {
        prefix: Some("hcat"),
        name: "exists",
        params: &[Type::Text],
        result: Type::Bool,
        phases: WORKFLOW,
        needs: Needs::Files,
        doc: "whether a partition exists",
        body: |scope, args| exists(scope, text(args, 0)).map(Value::from),
    },
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
