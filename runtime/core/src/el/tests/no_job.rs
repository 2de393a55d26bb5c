//! Evaluation with properties only.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeZone, Utc};

use super::{evaluate_in, properties};
use crate::el::scope::{NoJob, is_variable_name};

fn no_job(entries: &[(&str, &str)]) -> NoJob {
    let now = Utc
        .with_ymd_and_hms(2026, 1, 2, 3, 4, 5)
        .single()
        .expect("the time exists");
    NoJob::new(&properties(entries), now)
}

#[test]
fn identifiers_are_variables_and_trimmed() {
    let scope = no_job(&[
        ("in", " /data \n"),
        ("my.prop", "x"),
        ("my-prop", "x"),
        ("1st", "x"),
        ("_u", "u"),
        ("größe", "x"),
        ("$d", "x"),
    ]);
    let variables: Vec<(&str, &str)> = scope
        .variables
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    assert_eq!(variables, [("_u", "u"), ("in", "/data")]);
    assert_eq!(evaluate_in(&scope, "${in}/${_u}"), "/data/u");
    assert_eq!(evaluate_in(&scope, "${timestamp()}"), "2026-01-02T03:04Z");
    assert!(!is_variable_name(""));
}

#[test]
fn functions_of_a_job_need_one() {
    let scope = NoJob::new(&BTreeMap::new(), DateTime::UNIX_EPOCH);
    for (prefix, call) in [
        ("wf", "id()"),
        ("wf", "name()"),
        ("wf", "appPath()"),
        ("wf", "user()"),
        ("wf", "group()"),
        ("wf", "run()"),
        ("wf", "conf('a')"),
        ("wf", "callback('a')"),
        ("wf", "transition('a')"),
        ("wf", "lastErrorNode()"),
        ("wf", "errorCode('a')"),
        ("wf", "errorMessage('a')"),
        ("wf", "actionData('a')"),
        ("wf", "actionExternalId('a')"),
        ("wf", "actionTrackerUri('a')"),
        ("wf", "actionExternalStatus('a')"),
        ("fs", "exists('a')"),
        ("fs", "isDir('a')"),
        ("fs", "fileSize('a')"),
        ("fs", "dirSize('a')"),
        ("fs", "blockSize('a')"),
    ] {
        let name = call.split('(').next().unwrap_or_default();
        assert_eq!(
            evaluate_in(&scope, &format!("${{{prefix}:{call}}}")),
            format!("error: function `{prefix}:{name}` needs a running job")
        );
    }
}
