//! Replays what a real server of Oozie was asked, and compares the answers: status, code, content type and keys.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use super::TestServer;

/// Steps that may be answered in another way: the file, the step, what differs, and why.
const DIFFERENCES: &str = include_str!("differences.txt");

/// Whether the path of a step depends on no particular job.
type IsMeant = fn(&str) -> bool;

/// Recordings, and which of their steps are replayed.
const FILES: [(&str, IsMeant); 6] = [
    ("transport-http", |_| true),
    ("admin-http", |_| true),
    ("jobs-http", |_| true),
    ("sla-http", |path| path.contains("/sla")),
    ("callback-http", |_| true),
    ("job-http", |path| {
        path.contains("/0009999-") || path.contains("/job/foo")
    }),
];

/// Resources whose keys are names of things, which differ.
const MAPS: [&str; 5] = [
    "os-env",
    "java-sys-properties",
    "configuration",
    "available-oozie-servers",
    "metrics",
];

/// Where the recordings are, if they are here.
pub(super) fn recordings() -> Option<PathBuf> {
    let shared = env::var_os("HPDL_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let folder = shared.join("reference/ws-recordings");
    folder.is_dir().then_some(folder)
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

/// The recorded body of a step.
pub(super) fn recorded(folder: &Path, file: &str, step: &str) -> Value {
    let lines = fs::read_to_string(folder.join(format!("{file}.jsonl"))).unwrap();
    let mut steps = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let found = steps.find(|it| text(it, "step").trim() == step).unwrap();
    serde_json::from_str(text(&found["response"], "body")).unwrap()
}

fn headers(of: &Value) -> Vec<(String, String)> {
    let list = of["headers"].as_array().cloned().unwrap_or_default();
    list.iter()
        .filter_map(|pair| Some((pair[0].as_str()?.to_owned(), pair[1].as_str()?.to_owned())))
        .collect()
}

fn keys(body: &str) -> BTreeSet<String> {
    match serde_json::from_str(body) {
        Ok(Value::Object(object)) => object.keys().cloned().collect(),
        _ => BTreeSet::new(),
    }
}

/// What differs between the recorded answer and ours.
fn difference(server: &TestServer, step: &Value) -> Vec<String> {
    let (request, response) = (&step["request"], &step["response"]);
    let path = text(request, "path");
    let sent: Vec<(String, String)> = headers(request)
        .into_iter()
        .filter(|(name, _)| !name.eq_ignore_ascii_case("content-length"))
        .collect();
    let answer = server.send(text(request, "method"), path, &sent, text(request, "body"));
    let expected: BTreeMap<String, String> = headers(response)
        .into_iter()
        .map(|(name, value)| (name.to_lowercase(), value))
        .collect();
    let mut differences = Vec::new();
    let mut compare = |what: &str, expected: &str, ours: &str| {
        if expected != ours {
            differences.push(format!("{what} {ours} in place of {expected}"));
        }
    };
    let status = response["status"].to_string();
    compare("status", &status, &answer.status.as_u16().to_string());
    for name in ["oozie-error-code", "content-type"] {
        let expected = expected.get(name).map_or("-", String::as_str);
        compare(name, expected, answer.header(name).unwrap_or("-"));
    }
    let is_map = MAPS.iter().any(|map| path.contains(map));
    if !is_map && response.get("truncated_from").is_none() && step.get("truncated_from").is_none() {
        let (expected, ours) = (keys(text(response, "body")), keys(&answer.body));
        if answer.status.as_u16().to_string() == status {
            compare("keys", &format!("{expected:?}"), &format!("{ours:?}"));
        }
    }
    if let (Some(code), Some(reason)) = (answer.code(), &answer.reason) {
        let is_reason = reason.contains(code) || !answer.body.contains(code);
        compare("reason with code", "true", &is_reason.to_string());
    }
    differences
}

#[test]
fn recorded_requests_are_answered_as_oozie_does() {
    let Some(folder) = recordings() else {
        println!("skipped: the recordings of Oozie are not here");
        return;
    };
    let allowed: BTreeSet<(&str, &str)> = DIFFERENCES
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| {
            let mut parts = line.split('|').map(str::trim);
            let (file, step) = (parts.next().unwrap(), parts.next().unwrap());
            assert!(
                parts.next().is_some_and(|reason| !reason.is_empty()),
                "{line}"
            );
            (file, step)
        })
        .collect();
    let (mut wrong, mut seen, mut n) = (Vec::new(), BTreeSet::new(), 0);
    let mut names = BTreeSet::new();
    for (file, is_meant) in FILES {
        let server = TestServer::new();
        let lines = fs::read_to_string(folder.join(format!("{file}.jsonl"))).unwrap();
        for line in lines.lines() {
            let step: Value = serde_json::from_str(line).unwrap();
            if !is_meant(text(&step["request"], "path")) {
                continue;
            }
            n += 1;
            let name = text(&step, "step").to_owned();
            let differences = difference(&server, &step);
            if differences.is_empty() {
                continue;
            }
            names.insert((file, name.clone()));
            let is_allowed = allowed.contains(&(file, name.trim()));
            if !is_allowed {
                wrong.push(format!("{file} | {name} | {}", differences.join("; ")));
            }
        }
    }
    for (file, name) in &names {
        seen.insert((*file, name.trim()));
    }
    let idle: Vec<String> = allowed
        .difference(&seen)
        .map(|(file, step)| format!("{file} | {step} | no difference any more"))
        .collect();
    wrong.extend(idle);
    println!("{n} steps, {} of them with a known difference", names.len());
    assert!(
        wrong.is_empty(),
        "{} of {n}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
