//! Functions of prefix `wf`: the job and its nodes (`DagELFunctions`).

use std::collections::BTreeMap;

use super::{Function, Needs, WORKFLOW, text};
use crate::el::{
    error::{ElError, ElErrorKind},
    scope::{NodeFacts, Scope},
    types::Type,
    value::Value,
};

functions! {
    ID = Function {
        prefix: Some("wf"),
        name: "id",
        params: &[],
        result: Type::Text,
        phases: WORKFLOW,
        needs: Needs::Job,
        doc: "the id of the job",
        body: |scope, _| id(scope).map(Value::from),
    },
    NAME = Function {
        prefix: Some("wf"),
        name: "name",
        params: &[],
        result: Type::Text,
        phases: WORKFLOW,
        needs: Needs::Job,
        doc: "the name of the application",
        body: |scope, _| name(scope).map(Value::from),
    },
    APP_PATH = Function {
        prefix: Some("wf"),
        name: "appPath",
        params: &[],
        result: Type::Text,
        phases: WORKFLOW,
        needs: Needs::Job,
        doc: "the path of the application, as submitted",
        body: |scope, _| app_path(scope).map(Value::from),
    },
    CONF = Function {
        prefix: Some("wf"),
        name: "conf",
        params: &[Type::Text],
        result: Type::NullableText,
        phases: WORKFLOW,
        needs: Needs::Job,
        doc: "a property of the job, or null if it is undefined",
        body: |scope, args| conf(scope, text(args, 0)).map(Value::from),
    },
    USER = Function {
        prefix: Some("wf"),
        name: "user",
        params: &[],
        result: Type::Text,
        phases: WORKFLOW,
        needs: Needs::Job,
        doc: "the user that the job belongs to",
        body: |scope, _| user(scope).map(Value::from),
    },
    GROUP = Function {
        prefix: Some("wf"),
        name: "group",
        params: &[],
        result: Type::NullableText,
        phases: WORKFLOW,
        needs: Needs::Job,
        doc: "the group that the job belongs to, or null",
        body: |scope, _| group(scope).map(Value::from),
    },
    CALLBACK = Function {
        prefix: Some("wf"),
        name: "callback",
        params: &[Type::Text],
        result: Type::Text,
        phases: WORKFLOW,
        needs: Needs::Nodes,
        doc: "the callback URL of the action, with the given status",
        body: |scope, args| callback(scope, text(args, 0)).map(Value::from),
    },
    TRANSITION = Function {
        prefix: Some("wf"),
        name: "transition",
        params: &[Type::Text],
        result: Type::NullableText,
        phases: WORKFLOW,
        needs: Needs::Nodes,
        doc: "the node that followed a node, or null before its end",
        body: |scope, args| transition(scope, text(args, 0)).map(Value::from),
    },
    LAST_ERROR_NODE = Function {
        prefix: Some("wf"),
        name: "lastErrorNode",
        params: &[],
        result: Type::NullableText,
        phases: WORKFLOW,
        needs: Needs::Nodes,
        doc: "the last node that ended in ERROR, or null",
        body: |scope, _| last_error_node(scope).map(Value::from),
    },
    ERROR_CODE = Function {
        prefix: Some("wf"),
        name: "errorCode",
        params: &[Type::Text],
        result: Type::NullableText,
        phases: WORKFLOW,
        needs: Needs::Nodes,
        doc: "the error code of a node, or null",
        body: |scope, args| error_code(scope, text(args, 0)).map(Value::from),
    },
    ERROR_MESSAGE = Function {
        prefix: Some("wf"),
        name: "errorMessage",
        params: &[Type::Text],
        result: Type::NullableText,
        phases: WORKFLOW,
        needs: Needs::Nodes,
        doc: "the error message of a node, or null",
        body: |scope, args| error_message(scope, text(args, 0)).map(Value::from),
    },
    RUN = Function {
        prefix: Some("wf"),
        name: "run",
        params: &[],
        result: Type::Long,
        phases: WORKFLOW,
        needs: Needs::Job,
        doc: "the number of the run, 0 at first",
        body: |scope, _| run(scope).map(Value::from),
    },
    ACTION_DATA = Function {
        prefix: Some("wf"),
        name: "actionData",
        params: &[Type::Text],
        result: Type::Map,
        phases: WORKFLOW,
        needs: Needs::Nodes,
        doc: "the captured output of a node, empty if there is none",
        body: |scope, args| action_data(scope, text(args, 0)).map(Value::from),
    },
    ACTION_EXTERNAL_ID = Function {
        prefix: Some("wf"),
        name: "actionExternalId",
        params: &[Type::Text],
        result: Type::NullableText,
        phases: WORKFLOW,
        needs: Needs::Nodes,
        doc: "the external id of a node, or null before its end",
        body: |scope, args| action_external_id(scope, text(args, 0)).map(Value::from),
    },
    ACTION_TRACKER_URI = Function {
        prefix: Some("wf"),
        name: "actionTrackerUri",
        params: &[Type::Text],
        result: Type::NullableText,
        phases: WORKFLOW,
        needs: Needs::Nodes,
        doc: "the tracker of a node's job, or null before its end",
        body: |scope, args| action_tracker_uri(scope, text(args, 0)).map(Value::from),
    },
    ACTION_EXTERNAL_STATUS = Function {
        prefix: Some("wf"),
        name: "actionExternalStatus",
        params: &[Type::Text],
        result: Type::NullableText,
        phases: WORKFLOW,
        needs: Needs::Nodes,
        doc: "the external status of a node, or null before its end",
        body: |scope, args| action_external_status(scope, text(args, 0)).map(Value::from),
    },
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
