//! A store for tests of pages: runs with output, and programs that answer as their executables do.

use std::fs;

use hpdlc_core::status::{ActionStatus, JobStatus};
use hpdlc_engine::registry;
use hpdlc_store::{
    ActionRow, JobRow,
    query::{self, ApplicationOrigin, DefinitionRow},
    sql::{self, Connection},
};

use crate::serve::tests::{TestServer, kinds};

pub(super) const FAILED: &str = "0000021-261125093313444-hpdl-W";
pub(super) const WORKED: &str = "0000020-261125093313444-hpdl-W";

/// A week with a change of clocks.
const SIMULATED: &str = r#"{"event":"action","number":41,"nominal_time":"2030-03-30T23:30Z","status":"READY","time":"x"}
{"event":"action","number":41,"nominal_time":"2030-03-30T23:30Z","status":"SUCCEEDED","time":"x"}
{"event":"action","number":42,"nominal_time":"2030-03-31T01:30Z","status":"<b>","time":"x"}
{"event":"end","status":"RUNNING","actions":{"SUCCEEDED":1}}"#;

/// Writes a node as its owner does.
pub(super) fn write(store: &Connection, row: &ActionRow) {
    store
        .execute(
            "INSERT INTO actions (job_id, name, type, status, transition, external_id, error_code, error_message, retries,
                 data, note, started, ended, attempt, user_retries, transient_retries, live_strands, canceling, work)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0, ?9, ?10, ?11, ?12, ?13, 0, 0, 0, 0, ?14)",
            sql::params![
                row.job_id,
                row.name,
                row.type_name,
                row.status.name(),
                row.transition,
                row.external_id,
                row.error_code,
                row.error_message,
                row.data,
                row.note,
                row.started,
                row.ended,
                row.attempt,
                row.work,
            ],
        )
        .unwrap();
}

/// A program that answers as the executable of a workflow does.
fn keep_executable(server: &TestServer, hash: &str, greeting: &str) {
    let graph = serde_json::json!({
        "title": "nightly-load",
        "nodes": [
            { "name": "load", "kind": "action", "title": "load", "subtitle": "shell", "target": null, "pair": null,
              "reached": true, "file": "workflow.xml", "line": 2 },
            { "name": "<never>", "kind": "action", "title": "<never>", "subtitle": "fs", "target": null, "pair": null,
              "reached": true, "file": "workflow.xml", "line": 5 },
        ],
        "arrows": [{ "from": 0, "to": 1, "error": false, "label": null, "outcome": "OK" }],
    });
    let values = serde_json::json!({
        "nodes": [{ "name": "load", "values": [
            { "path": "argument", "template": "load ${day}", "value": "load 2026-11-28",
              "origin": { "file": "workflow.xml", "line": 3 } },
        ] }],
    });
    let parameters = serde_json::json!([
        { "name": "day", "required": true, "default": null, "type": "date", "description": "The day & night",
          "uses": [{ "file": "workflow.xml", "line": 3 }] },
        { "name": "dbPassword", "required": false, "default": "hunter22", "type": "string", "description": null, "uses": [] },
    ]);
    let document = format!(
        "<workflow-app>\n  <action name=\"load\">\n    <argument>{greeting}</argument>\n  </action>\n</workflow-app>"
    );
    let mut script = "#!/bin/sh\ncase $1 in\n".to_owned();
    for (command, text) in [
        ("graph", graph.to_string()),
        ("dryrun", values.to_string()),
        ("params", parameters.to_string()),
        ("definition", document),
        ("rerun", "runs load".to_owned()),
        ("simulate", SIMULATED.to_owned()),
    ] {
        script.push_str(&format!("{command}) cat <<'END'\n{text}\nEND\n;;\n"));
    }
    let given = "for file; do :; done; grep -q '<name>day</name>' \"$file\"";
    let missing =
        "echo 'error: property day is not given; it is used at workflow.xml:3:1' >&2; exit 2";
    script.push_str(&format!(
        "esac\ncase $1 in dryrun|submit) {given} || {{ {missing}; }} ;; esac\n"
    ));
    script.push_str(&format!("case $1 in submit) echo {WORKED} ;; esac\n"));
    keep_script(server, hash, &script);
}

/// A program of somebody, as the executable of a definition.
pub(super) fn keep_script(server: &TestServer, hash: &str, script: &str) {
    let path = server.session.home.root().join("script");
    fs::write(&path, script).unwrap();
    registry::kept::keep(&server.session.home, hash, &path).unwrap();
    let definition = DefinitionRow {
        hash: hash.to_owned(),
        app: "nightly-load".to_owned(),
        hpdlc_version: "0.1.0".to_owned(),
        created: 0,
        origin: ApplicationOrigin::Program,
        program: "/nightly-load".to_owned(),
        secrets: None,
    };
    let store = server.session.store().unwrap();
    query::register_definition(&store, &definition).unwrap();
}

/// A run that failed after one that worked, of another definition, with output.
pub(super) fn with_failure() -> TestServer {
    let server = kinds::server();
    keep_executable(&server, "feed1", "hello");
    keep_executable(&server, "feed2", "good morning");
    let store = server.session.store().unwrap();
    let now = hpdlc_host::clock::now_millis();
    for (id, status, created, day) in [
        (WORKED, JobStatus::Succeeded, now - 90_000, "27"),
        (FAILED, JobStatus::Killed, now - 30_000, "28"),
    ] {
        let job = JobRow {
            app: "nightly-load".to_owned(),
            status,
            started: Some(created),
            ended: Some(created + 5_000),
            conf: format!(r#"{{"day":"2026-11-{day}","dbPassword":"hunter22"}}"#),
            hash: if status == JobStatus::Killed {
                "feed2"
            } else {
                "feed1"
            }
            .to_owned(),
            error_message: (status == JobStatus::Killed).then(|| "load failed".to_owned()),
            ..JobRow::new(id, created)
        };
        query::insert_job(&store, &job).unwrap();
        let is_ok = status == JobStatus::Succeeded;
        let row = ActionRow {
            status: if is_ok {
                ActionStatus::Ok
            } else {
                ActionStatus::Error
            },
            error_code: (!is_ok).then(|| "JA018".to_owned()),
            started: Some(created),
            ended: Some(created + 1_000),
            attempt: 1,
            work: Some(format!(r#"{{"Shell":{{"args":["2026-11-{day}"]}}}}"#)),
            ..ActionRow::new(id, "load", "shell")
        };
        write(&store, &row);
        let folder = server.session.home.attempt(id, 0, "load", 1);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.with_extension("out"), "line one\nline two\n").unwrap();
        let err = "\u{1b}[31mdisk full\u{1b}[0m, password hunter22 <b>\n";
        fs::write(folder.with_extension("err"), err).unwrap();
    }
    server
}
