//! The functions that exist only in the dialect of the proposal of 2009, and those of Oozie's that it shares (its section 4.2).
//!
//! Two of its functions have the name of one of Oozie's but another meaning. They are here under the prefix [`RENAMED`], which no
//! document can contain; [`meant`] sets it in the calls of a document in that dialect.

use super::{basic::joined, text, wf};
use crate::{
    el::{
        ast::{Expr, ExprKind, Part, Template},
        error::ElError,
        scope::Scope,
        value::Value,
    },
    status::ActionStatus,
};

/// The root element of its documents.
pub const ROOT_ELEMENT: &str = "hadoop-workflow";

/// The prefix of functions whose name has another meaning in Oozie. No identifier starts with a digit.
pub const RENAMED: &str = "2009";

functions! {
    CONCAT = "2009:concat"(Text, Text, Text) -> Text, Nothing, "three texts joined",
        |_, args| joined("concat", &[text(args, 0), text(args, 1), text(args, 2)]).map(Value::from);
    TIMESTAMP = "2009:timestamp"() -> Text, Clock, "the current time in UTC, such as `2026-01-31T09:30:59.12Z`",
        |scope, _| Ok(timestamp(scope).into());
    APP_NAME = "wf:appName"() -> Text, Job, "the name of the application",
        |scope, _| wf::name(scope).map(Value::from);
    CALLBACK_URL = "wf:callbackUrl"(Text) -> Text, Nodes, "another name of `wf:callback`",
        |scope, args| wf::callback(scope, text(args, 0)).map(Value::from);
    EXIT_STATE = "wf:exitState"(Text) -> NullableText, Nodes, "`OK` or `ERROR`, or null before the node's end",
        |scope, args| exit_state(scope, text(args, 0)).map(Value::from);
    NODE_STATUS = "wf:nodeStatus"(Text) -> NullableText, Nodes, "another name of `wf:exitState`",
        |scope, args| exit_state(scope, text(args, 0)).map(Value::from);
    ERROR_NODE = "wf:errorNode"() -> NullableText, Nodes, "the last node that ended in ERROR, or null",
        |scope, _| wf::last_error_node(scope).map(Value::from);
    RECOVERY = "wf:recovery"() -> Long, Nodes, "0, or the number of the recovery",
        |scope, _| wf::run(scope).map(Value::from);
    JOB_ID = "hadoop:jobId"(Text) -> NullableText, Job, "the id of a node's Hadoop job, or null",
        |scope, args| wf::action_external_id(scope, text(args, 0)).map(Value::from);
    JOB_TRACKER = "hadoop:jobTracker"(Text) -> NullableText, Nodes, "the job tracker of a node's Hadoop job, or null",
        |scope, args| wf::action_tracker_uri(scope, text(args, 0)).map(Value::from);
    JOB_STATUS = "hadoop:jobStatus"(Text) -> NullableText, Nodes, "the status of a node's Hadoop job, or null",
        |scope, args| wf::action_external_status(scope, text(args, 0)).map(Value::from);
    JOB_COUNTERS = "hadoop:jobCounters"(Text) -> Object, Nodes, "the counters of a node's Hadoop job, a map of groups, or null",
        |scope, args| super::hadoop::job_counters(scope, text(args, 0));
    EXISTS = "hdfs:exists"(Text, Text) -> Bool, Files, "whether a path of a file system exists",
        |scope, args| scope.files().exists(&literal_pattern(&uri("hdfs:exists", args)?)).map(Value::from);
    IS_DIR = "hdfs:isDir"(Text, Text) -> Bool, Files, "whether a path of a file system is a folder",
        |scope, args| scope.files().is_dir(&uri("hdfs:isDir", args)?).map(Value::from);
    DIR_SIZE = "hdfs:dirSize"(Text, Text) -> Long, Files, "the bytes of the files directly in a folder, -1 if there is no folder",
        |scope, args| scope.files().dir_size(&uri("hdfs:dirSize", args)?).map(Value::from);
    FILE_SIZE = "hdfs:fileSize"(Text, Text) -> Long, Files, "the bytes of a file, -1 if there is no file",
        |scope, args| of_file(scope, &uri("hdfs:fileSize", args)?, |path| scope.files().file_size(path));
    BLOCK_SIZE = "hdfs:blockSize"(Text, Text) -> Long, Files, "the block size of a file in bytes, -1 if there is no file",
        |scope, args| of_file(scope, &uri("hdfs:blockSize", args)?, |path| scope.files().block_size(path));
    SIZE = "hdfs:size"(Text) -> Long, Files, "the bytes of a file, or of the files directly in a folder, -1 if there is neither",
        |scope, args| size(scope, text(args, 0)).map(Value::from);
    OUTPUT = "action:output"(Text, Text) -> NullableText, Nodes, "a value of a node's captured output, or null",
        |scope, args| {
            let mut data = wf::action_data(scope, text(args, 0))?;
            Ok(Value::from(data.remove(text(args, 1))))
        };
}

/// The functions shared with Oozie. The proposal declares all of them except `hadoop:counters`, which its examples call.
const SHARED: &[(Option<&str>, &str)] = &[
    (None, "firstNotNull"),
    (None, "concat"),
    (None, "trim"),
    (None, "urlEncode"),
    (None, "timestamp"),
    (Some("wf"), "id"),
    (Some("wf"), "conf"),
    (Some("wf"), "callback"),
    (Some("wf"), "errorCode"),
    (Some("wf"), "errorMessage"),
    (Some("hadoop"), "counters"),
];

/// The functions of the proposal that Oozie renamed.
const COUNTERPARTS: &[(&str, &str)] = &[
    ("wf:appName", "wf:name"),
    ("wf:callbackUrl", "wf:callback"),
    ("wf:exitState", "wf:actionExternalStatus"),
    ("wf:nodeStatus", "wf:actionExternalStatus"),
    ("wf:errorNode", "wf:lastErrorNode"),
    ("wf:recovery", "wf:run"),
    ("hadoop:jobId", "wf:actionExternalId"),
    ("hadoop:jobTracker", "wf:actionTrackerUri"),
    ("hadoop:jobStatus", "wf:actionExternalStatus"),
    ("hadoop:jobCounters", "hadoop:counters"),
    ("hdfs:exists", "fs:exists"),
    ("hdfs:isDir", "fs:isDir"),
    ("hdfs:dirSize", "fs:dirSize"),
    ("hdfs:fileSize", "fs:fileSize"),
    ("hdfs:blockSize", "fs:blockSize"),
    ("hdfs:size", "fs:fileSize"),
    ("action:output", "wf:actionData"),
];

/// The function of Oozie that replaced a function of the proposal, both with their prefixes.
pub fn later_name(name: &str) -> Option<&'static str> {
    let pair = COUNTERPARTS.iter().find(|(earlier, _)| *earlier == name);
    pair.map(|(_, later)| *later)
}

/// The function of the proposal that this one of Oozie's replaced, both with their prefixes.
pub fn earlier_name(name: &str) -> Option<&'static str> {
    let pair = COUNTERPARTS.iter().find(|(_, later)| *later == name);
    pair.map(|(earlier, _)| *earlier)
}

/// Whether only the proposal defines it.
pub fn is_own(prefix: Option<&str>, name: &str) -> bool {
    FUNCTIONS
        .iter()
        .any(|function| function.prefix == prefix && function.name == name)
}

/// Whether Oozie defines it too, possibly with another meaning.
pub(super) fn is_shared(prefix: Option<&str>, name: &str) -> bool {
    SHARED.contains(&(prefix, name))
}

/// Rewrites the calls in a text of a document in that dialect to the functions that they mean there.
pub fn meant(template: &mut Template) {
    for part in &mut template.parts {
        if let Part::Expr(expr) = part {
            rename(expr);
        }
    }
}

fn rename(expr: &mut Expr) {
    if let ExprKind::Call {
        prefix: prefix @ None,
        name,
        args,
        ..
    } = &mut expr.kind
        && matches!(
            (name.as_str(), args.len()),
            ("concat", 3) | ("timestamp", 0)
        )
    {
        *prefix = Some(RENAMED.to_owned());
    }
    expr.children_mut().into_iter().for_each(rename);
}

/// Seconds with their fraction, always in UTC. The proposal's example shows hundredths.
fn timestamp(scope: &dyn Scope) -> String {
    let now = scope.now();
    let hundredths = now.timestamp_subsec_millis().min(999) / 10;
    format!("{}.{hundredths:02}Z", now.format("%Y-%m-%dT%H:%M:%S"))
}

/// A node that was killed or that failed the job has no exit state: no later expression is evaluated.
fn exit_state(scope: &dyn Scope, node: &str) -> Result<Option<String>, ElError> {
    let facts = scope.node(node)?;
    Ok(facts
        .and_then(|facts| facts.status)
        .and_then(|status| match status {
            ActionStatus::Ok => Some("OK".to_owned()),
            ActionStatus::Error => Some("ERROR".to_owned()),
            ActionStatus::Prep
            | ActionStatus::Running
            | ActionStatus::Done
            | ActionStatus::StartRetry
            | ActionStatus::StartManual
            | ActionStatus::UserRetry
            | ActionStatus::Killed
            | ActionStatus::Failed => None,
        }))
}

/// The URI of a file system and an absolute path in it, combined.
fn uri(function: &str, args: &[Value]) -> Result<String, ElError> {
    let (file_system, path) = (text(args, 0), text(args, 1));
    if !path.starts_with('/') {
        return Err(ElError::function(
            function,
            format_args!("expected an absolute path, found `{path}`"),
        ));
    }
    Ok(format!("{}{path}", file_system.trim_end_matches('/')))
}

/// The pattern that only this path matches.
fn literal_pattern(path: &str) -> String {
    let mut pattern = String::with_capacity(path.len());
    for character in path.chars() {
        if matches!(character, '\\' | '*' | '?' | '[' | ']' | '{' | '}') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern
}

fn of_file(
    scope: &dyn Scope,
    path: &str,
    ask: impl FnOnce(&str) -> Result<i64, ElError>,
) -> Result<Value, ElError> {
    if scope.files().is_dir(path)? {
        return Ok(Value::Long(-1));
    }
    ask(path).map(Value::from)
}

fn size(scope: &dyn Scope, path: &str) -> Result<i64, ElError> {
    if scope.files().is_dir(path)? {
        scope.files().dir_size(path)
    } else {
        scope.files().file_size(path)
    }
}
