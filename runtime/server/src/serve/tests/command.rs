//! Commands of `hpdl --url`, as far as they are refused: what is run is in the end-to-end tests.

use std::{collections::BTreeMap, fs, os::unix::fs::PermissionsExt};

use hpdlc_store::{
    JobRow, audit, query,
    tokens::{self, Role},
};

use super::{TestServer, kinds};
use crate::{serve::policy::Mode, token};

const PATH: &str = "/oozie/hpdl/v1/command";

fn json() -> (String, String) {
    ("Content-Type".to_owned(), "application/json".to_owned())
}

#[test]
fn what_is_no_command_of_a_server_is_refused() {
    let server = TestServer::new();
    for (method, query, body, code) in [
        ("GET", "?arg=kill&arg=17", "", "E0302"),
        ("GET", "?arg=backup&arg=x", "", "E0302"),
        ("GET", "?arg=graph&arg=17&arg=-ox.svg", "", "E0302"),
        ("GET", "?arg=settings&arg=-c&arg=/etc/passwd", "", "E0302"),
        ("GET", "?arg=settings&arg=-c/etc/passwd", "", "E0302"),
        ("GET", "?arg=settings&arg=-Dx=1", "", "E0302"),
        (
            "GET",
            "?arg=jobs&arg=--url&arg=http://127.0.0.1:1",
            "",
            "E0302",
        ),
        ("GET", "?arg=--url=http://127.0.0.1:1&arg=jobs", "", "E0302"),
        ("GET", "?arg=serve", "", "E0302"),
        ("GET", "?arg=apps&arg=deploy&arg=x", "", "E0302"),
        (
            "POST",
            "",
            "{\"arguments\":[\"token\",\"new\",\"x\"]}",
            "E0302",
        ),
        (
            "POST",
            "",
            "{\"arguments\":[\"purge\"],\"home\":\"/\"}",
            "E1603",
        ),
        ("POST", "", "kill", "E1603"),
        ("PUT", "", "", "E0301"),
    ] {
        let answer = server.send(method, &format!("{PATH}{query}"), &[json()], body);
        assert_eq!(
            answer.code(),
            Some(code),
            "{method} {query} {body}: {}",
            answer.body
        );
    }
    let answer = server.send("POST", PATH, &[], "{\"arguments\":[\"jobs\"]}");
    assert_eq!(answer.code(), Some("E0300"), "{}", answer.body);
}

#[test]
fn a_wrong_command_line_is_explained_as_on_a_terminal() {
    let server = TestServer::new();
    let answer = server.get("/hpdl/v1/command?arg=jobs&arg=--stats");
    assert!(answer.body.contains("\"err\""), "{}", answer.body);
    assert!(answer.body.contains("--status"), "{}", answer.body);
    assert!(answer.body.ends_with("{\"exit\":2}\n"), "{}", answer.body);
    let answer = server.get("/hpdl/v1/command?arg=kill&arg=--help");
    assert!(answer.body.starts_with("{\"out\":"), "{}", answer.body);
    assert!(answer.body.ends_with("{\"exit\":0}\n"), "{}", answer.body);
}

/// A token's role and the owner of a job count as for Oozie's own commands, and what was refused is in the audit.
#[test]
fn commands_need_the_role_and_the_job() {
    let server = TestServer::with_mode(BTreeMap::new(), Mode::Token);
    let connection = server.session.store().unwrap();
    let bearer = |user: &str, role: Role| {
        let (row, token) = token::make("test", user, role, None).unwrap();
        tokens::insert(&connection, &row).unwrap();
        ("Authorization".to_owned(), format!("Bearer {token}"))
    };
    let reader = bearer("ann", Role::Read);
    let operator = bearer("bob", Role::Operate);
    let row = JobRow {
        conf: serde_json::json!({ "user.name": "ann" }).to_string(),
        ..JobRow::new("0000001-1-hpdl-W", 0)
    };
    query::insert_job(&connection, &row).unwrap();
    let kill = "{\"arguments\":[\"kill\",\"1@2\"]}";
    let refused = |who: &(String, String), body: &str| {
        let answer = server.send("POST", PATH, &[who.clone(), json()], body);
        answer.code().map(str::to_owned)
    };
    assert_eq!(refused(&reader, kill).as_deref(), Some("E0500"));
    assert_eq!(refused(&operator, kill).as_deref(), Some("E0508"));
    let purge = "{\"arguments\":[\"purge\",\"--older-than\",\"1d\"]}";
    assert_eq!(refused(&operator, purge).as_deref(), Some("E0503"));
    let rows = audit::last(&connection, 10).unwrap();
    let kept = |row: &audit::AuditRow| (row.operation.clone(), row.job_id.clone(), row.status);
    let kept: Vec<_> = rows.iter().map(kept).collect();
    let job = Some(row.id);
    assert!(
        kept.contains(&("kill".to_owned(), job, Some(401))),
        "{kept:?}"
    );
    assert!(
        kept.contains(&("purge".to_owned(), None, Some(401))),
        "{kept:?}"
    );
}

/// What a command prints names the job that it has made, if there is such a job.
#[test]
fn the_audit_names_the_job_that_a_command_has_made() {
    let server = kinds::server();
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("hpdl");
    let unknown = "0009999-261125093313444-hpdl-W";
    for (command, printed, expected) in [
        (
            "submit",
            format!("{}\n", kinds::WORKFLOW),
            Some(kinds::WORKFLOW),
        ),
        (
            "run",
            format!("job {}\n09:51 a\n", kinds::WORKFLOW),
            Some(kinds::WORKFLOW),
        ),
        (
            "submit",
            format!("{}\n", kinds::BUNDLE),
            Some(kinds::BUNDLE),
        ),
        ("submit", format!("{unknown}\n"), None),
        ("submit", "17\n".to_owned(), None),
        ("apps", format!("{}\n", kinds::WORKFLOW), None),
    ] {
        fs::write(&program, format!("#!/bin/sh\nprintf '%s' '{printed}'\n")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
        let words = match command {
            "apps" => "[\"apps\",\"activate\",\"load\"]".to_owned(),
            command => format!("[\"{command}\",\"load\"]"),
        };
        let body = format!("{{\"arguments\":{words}}}");
        let answer = server
            .with_program(&program)
            .send("POST", PATH, &[json()], &body);
        assert!(answer.body.ends_with("{\"exit\":0}\n"), "{}", answer.body);
        let rows = audit::last(&server.session.store().unwrap(), 1).unwrap();
        assert_eq!(rows[0].operation, command);
        assert_eq!(rows[0].job_id.as_deref(), expected, "{command} {printed}");
    }
}
