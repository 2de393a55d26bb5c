//! Functions of prefix `wf`: the job and its nodes (`DagELFunctions`).

use std::collections::BTreeMap;

use super::text;
use crate::el::{
    error::{ElError, ElErrorKind},
    scope::{NodeFacts, Scope},
    value::Value,
};

functions! {
    ID = "wf:id"() -> Text, Job, "the id of the job",
        |scope, _| id(scope).map(Value::from);
    NAME = "wf:name"() -> Text, Job, "the name of the application",
        |scope, _| name(scope).map(Value::from);
    APP_PATH = "wf:appPath"() -> Text, Job, "the path of the application, as submitted",
        |scope, _| app_path(scope).map(Value::from);
    CONF = "wf:conf"(Text) -> NullableText, Job, "a property of the job, or null if it is undefined",
        |scope, args| conf(scope, text(args, 0)).map(Value::from);
    USER = "wf:user"() -> Text, Job, "the user that the job belongs to",
        |scope, _| user(scope).map(Value::from);
    GROUP = "wf:group"() -> NullableText, Job, "the group that the job belongs to, or null",
        |scope, _| group(scope).map(Value::from);
    CALLBACK = "wf:callback"(Text) -> Text, Nodes, "the callback URL of the action, with the given status",
        |scope, args| callback(scope, text(args, 0)).map(Value::from);
    TRANSITION = "wf:transition"(Text) -> NullableText, Nodes, "the node that followed a node, or null before its end",
        |scope, args| transition(scope, text(args, 0)).map(Value::from);
    LAST_ERROR_NODE = "wf:lastErrorNode"() -> NullableText, Nodes, "the last node that ended in ERROR, or null",
        |scope, _| last_error_node(scope).map(Value::from);
    ERROR_CODE = "wf:errorCode"(Text) -> NullableText, Nodes, "the error code of a node, or null",
        |scope, args| error_code(scope, text(args, 0)).map(Value::from);
    ERROR_MESSAGE = "wf:errorMessage"(Text) -> NullableText, Nodes, "the error message of a node, or null",
        |scope, args| error_message(scope, text(args, 0)).map(Value::from);
    RUN = "wf:run"() -> Long, Job, "the number of the run, 0 at first",
        |scope, _| run(scope).map(Value::from);
    ACTION_DATA = "wf:actionData"(Text) -> Map, Nodes, "the captured output of a node, empty if there is none",
        |scope, args| action_data(scope, text(args, 0)).map(Value::from);
    ACTION_EXTERNAL_ID = "wf:actionExternalId"(Text) -> NullableText, Nodes, "the external id of a node, or null before its end",
        |scope, args| action_external_id(scope, text(args, 0)).map(Value::from);
    ACTION_TRACKER_URI = "wf:actionTrackerUri"(Text) -> NullableText, Nodes, "the tracker of a node's job, or null before its end",
        |scope, args| action_tracker_uri(scope, text(args, 0)).map(Value::from);
    ACTION_EXTERNAL_STATUS = "wf:actionExternalStatus"(Text) -> NullableText, Nodes,
        "the external status of a node, or null before its end",
        |scope, args| action_external_status(scope, text(args, 0)).map(Value::from);
}

/// `wf:id()`
///
/// # Errors
///
/// As [`Scope::job`]; the same for all functions about the job.
pub fn id(scope: &dyn Scope) -> Result<String, ElError> {
    Ok(scope
        .job()
        .map_err(|error| named(error, "wf:id"))?
        .id
        .clone())
}

/// `wf:name()`: the application's name after evaluation.
pub fn name(scope: &dyn Scope) -> Result<String, ElError> {
    let job = scope.job().map_err(|error| named(error, "wf:name"))?;
    Ok(job.name.clone())
}

/// `wf:appPath()`
pub fn app_path(scope: &dyn Scope) -> Result<String, ElError> {
    let job = scope.job().map_err(|error| named(error, "wf:appPath"))?;
    Ok(job.app_path.clone())
}

/// `wf:conf(name)`: null if undefined, as opposed to the empty string.
pub fn conf(scope: &dyn Scope, name: &str) -> Result<Option<String>, ElError> {
    scope.conf(name)
}

/// `wf:user()`
pub fn user(scope: &dyn Scope) -> Result<String, ElError> {
    let job = scope.job().map_err(|error| named(error, "wf:user"))?;
    Ok(job.user.clone())
}

/// `wf:group()`
pub fn group(scope: &dyn Scope) -> Result<Option<String>, ElError> {
    let job = scope.job().map_err(|error| named(error, "wf:group"))?;
    Ok(job.group.clone())
}

/// `wf:callback(status)`: the `&` in the URL is not escaped.
///
/// # Errors
///
/// Function, if `status` is empty.
pub fn callback(scope: &dyn Scope, status: &str) -> Result<String, ElError> {
    if status.is_empty() {
        return Err(ElError::function(
            "wf:callback",
            "expected a status, found an empty text",
        ));
    }
    scope.callback_url(status)
}

/// `wf:transition(node)`
pub fn transition(scope: &dyn Scope, node: &str) -> Result<Option<String>, ElError> {
    fact(scope, node, "wf:transition", |facts| facts.transition)
}

/// `wf:lastErrorNode()`
pub fn last_error_node(scope: &dyn Scope) -> Result<Option<String>, ElError> {
    scope.last_error_node()
}

/// `wf:errorCode(node)`
pub fn error_code(scope: &dyn Scope, node: &str) -> Result<Option<String>, ElError> {
    fact(scope, node, "wf:errorCode", |facts| facts.error_code)
}

/// `wf:errorMessage(node)`
pub fn error_message(scope: &dyn Scope, node: &str) -> Result<Option<String>, ElError> {
    fact(scope, node, "wf:errorMessage", |facts| facts.error_message)
}

/// `wf:run()`: 0 in the first run, although Oozie's documentation says 1.
pub fn run(scope: &dyn Scope) -> Result<i64, ElError> {
    Ok(scope.job().map_err(|error| named(error, "wf:run"))?.run)
}

/// `wf:actionData(node)`: empty for an unknown node.
pub fn action_data(scope: &dyn Scope, node: &str) -> Result<BTreeMap<String, String>, ElError> {
    data_for(scope, node, "wf:actionData")
}

/// The output data of a node, for a function of that name.
pub(super) fn data_for(
    scope: &dyn Scope,
    node: &str,
    function: &str,
) -> Result<BTreeMap<String, String>, ElError> {
    let facts = scope.node(node).map_err(|error| named(error, function))?;
    Ok(facts.map(|facts| facts.data).unwrap_or_default())
}

/// `wf:actionExternalId(node)`
pub fn action_external_id(scope: &dyn Scope, node: &str) -> Result<Option<String>, ElError> {
    fact(scope, node, "wf:actionExternalId", |facts| {
        facts.external_id
    })
}

/// `wf:actionTrackerUri(node)`
pub fn action_tracker_uri(scope: &dyn Scope, node: &str) -> Result<Option<String>, ElError> {
    fact(scope, node, "wf:actionTrackerUri", |facts| {
        facts.tracker_uri
    })
}

/// `wf:actionExternalStatus(node)`
pub fn action_external_status(scope: &dyn Scope, node: &str) -> Result<Option<String>, ElError> {
    fact(scope, node, "wf:actionExternalStatus", |facts| {
        facts.external_status
    })
}

fn fact(
    scope: &dyn Scope,
    node: &str,
    function: &str,
    select: fn(NodeFacts) -> Option<String>,
) -> Result<Option<String>, ElError> {
    let facts = scope.node(node).map_err(|error| named(error, function))?;
    Ok(facts.and_then(select))
}

/// A scope that has no job does not know which function was called.
fn named(error: ElError, function: &str) -> ElError {
    if error.kind == ElErrorKind::NeedsJob {
        ElError::needs_job(format_args!("function `{function}`"))
    } else {
        error
    }
}
