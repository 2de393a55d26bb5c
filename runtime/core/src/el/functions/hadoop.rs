//! Functions of prefix `hadoop`: what only a cluster knows. The compiler refuses them before a job can call them.

use std::collections::BTreeMap;

use super::{Function, Needs, WORKFLOW, text};
use crate::el::{error::ElError, scope::Scope, types::Type, value::Value};

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        prefix: Some("hadoop"),
        name: "counters",
        params: &[Type::Text],
        result: Type::Map,
        phases: WORKFLOW,
        needs: Needs::Cluster,
        doc: "the Hadoop counters of a node, a map of groups",
        body: |scope, args| counters(scope, text(args, 0)).map(Value::from),
    },
    Function {
        prefix: Some("hadoop"),
        name: "conf",
        params: &[Type::Text, Type::Text],
        result: Type::Text,
        phases: super::coord::WITH_WORKFLOW,
        needs: Needs::Cluster,
        doc: "a property of the configuration of a cluster",
        body: |scope, args| conf(scope, text(args, 0), text(args, 1)).map(Value::from),
    },
];

/// `hadoop:counters(node)`
///
/// # Errors
///
/// Function, always: this version reads no counters.
pub fn counters(_scope: &dyn Scope, node: &str) -> Result<BTreeMap<String, Value>, ElError> {
    Err(ElError::function(
        "hadoop:counters",
        format_args!("this version cannot read the Hadoop counters of node `{node}`"),
    ))
}

/// `hadoop:conf(host, property)`
///
/// # Errors
///
/// Function, always: this version reads no configuration of a cluster.
pub fn conf(_scope: &dyn Scope, host: &str, property: &str) -> Result<String, ElError> {
    Err(ElError::function(
        "hadoop:conf",
        format_args!("this version cannot read property `{property}` of the cluster `{host}`"),
    ))
}
