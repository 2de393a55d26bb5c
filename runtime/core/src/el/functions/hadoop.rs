//! Functions of prefix `hadoop`: the counters of jobs, and the configurations of clusters.

use std::collections::BTreeMap;

use super::{coord::WITH_WORKFLOW, text};
use crate::el::{error::ElError, scope::Scope, value::Value};

functions! {
    COUNTERS = "hadoop:counters"(Text) -> Map, Nodes, "the Hadoop counters of a node, a map of groups",
        |scope, args| counters(scope, text(args, 0)).map(Value::from);
    CONF = "hadoop:conf"(Text, Text) -> Text, Cluster in WITH_WORKFLOW, "a property of the configuration of a cluster",
        |scope, args| conf(scope, text(args, 0), text(args, 1)).map(Value::from);
}

/// What a node has left its counters under, beside its captured output: a JSON object of groups, each an object of numbers
/// (`MRStats`).
pub const COUNTERS_KEY: &str = "hadoop.counters";

/// Where a node's job ran, likewise.
pub const TRACKER: &str = "hadoop.tracker";

/// Hadoop's group of record counters, and its name when Oozie was young: the one that `RECORDS` is.
const RECORDS: (&str, &str) = (
    "org.apache.hadoop.mapreduce.TaskCounter",
    "org.apache.hadoop.mapred.Task$Counter",
);

/// `hadoop:counters(node)`
///
/// # Errors
///
/// Function, if the node has no counters, as Oozie throws an `IllegalArgumentException`.
pub fn counters(scope: &dyn Scope, node: &str) -> Result<BTreeMap<String, Value>, ElError> {
    left(scope, node, "hadoop:counters")?.ok_or_else(|| {
        ElError::function(
            "hadoop:counters",
            format_args!("node `{node}` has no counters of Hadoop"),
        )
    })
}

/// `hadoop:jobCounters(node)` of 2009: null if the node has no counters.
pub fn job_counters(scope: &dyn Scope, node: &str) -> Result<Value, ElError> {
    let counters = left(scope, node, "hadoop:jobCounters")?;
    Ok(counters.map_or(Value::Null, Value::from))
}

fn left(
    scope: &dyn Scope,
    node: &str,
    function: &str,
) -> Result<Option<BTreeMap<String, Value>>, ElError> {
    let data = super::wf::data_for(scope, node, function)?;
    let Some(text) = data.get(COUNTERS_KEY) else {
        return Ok(None);
    };
    // A tool that started no job.
    if text.is_empty() {
        return Ok(Some(BTreeMap::new()));
    }
    let parsed: BTreeMap<String, serde_json::Value> = serde_json::from_str(text)
        .map_err(|error| ElError::function(function, format_args!("node `{node}`: {error}")))?;
    let mut groups: BTreeMap<String, Value> = parsed
        .into_iter()
        .map(|(name, group)| (name, value(group)))
        .collect();
    if let Some(records) = groups.get(RECORDS.0).cloned() {
        groups.entry(RECORDS.1.to_owned()).or_insert(records);
    }
    Ok(Some(groups))
}

fn value(json: serde_json::Value) -> Value {
    match json {
        serde_json::Value::Number(number) => match number.as_i64() {
            Some(number) => Value::Long(number),
            None => Value::from(number.to_string()),
        },
        serde_json::Value::Object(members) => Value::Map(
            members
                .into_iter()
                .map(|(name, member)| (name, value(member)))
                .collect(),
        ),
        serde_json::Value::String(text) => Value::from(text),
        other => Value::from(other.to_string()),
    }
}

/// `hadoop:conf(host, property)`: empty if the cluster does not define the property (`HadoopELFunctions`).
///
/// # Errors
///
/// If its configuration cannot be read.
pub fn conf(scope: &dyn Scope, host: &str, property: &str) -> Result<String, ElError> {
    let found = scope.clusters()?.property(host, property)?;
    Ok(found.unwrap_or_default())
}
