//! Functions of prefix `hcat`: partitions of HCatalog. The compiler refuses them before a job can call them.

use super::{Function, Needs, WORKFLOW, text};
use crate::el::{error::ElError, scope::Scope, types::Type, value::Value};

pub(super) const FUNCTIONS: &[Function] = &[Function {
    prefix: Some("hcat"),
    name: "exists",
    params: &[Type::Text],
    result: Type::Bool,
    phases: WORKFLOW,
    needs: Needs::Cluster,
    doc: "whether a partition exists",
    body: |scope, args| exists(scope, text(args, 0)).map(Value::from),
}];

/// `hcat:exists(uri)`
///
/// # Errors
///
/// Function, always: this version does not ask HCatalog.
pub fn exists(_scope: &dyn Scope, uri: &str) -> Result<bool, ElError> {
    Err(ElError::function(
        "hcat:exists",
        format_args!("this version cannot ask HCatalog for `{uri}`"),
    ))
}
