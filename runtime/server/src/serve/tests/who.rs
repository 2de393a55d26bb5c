//! Who may: tokens, roles, owners, access lists, administrators, and what the audit keeps.

use std::{collections::BTreeMap, time::Duration};

use hpdlc_store::{
    JobRow, audit, query,
    tokens::{self, Role},
};

use super::{Answer, TestServer};
use crate::{serve::policy::Mode, token};

const OWNERS_ONLY: &str = "oozie.service.AuthorizationService.authorization.enabled";
const KILL: &str = "/oozie/v2/job/0000001-1-hpdl-W?action=kill";

fn with_tokens() -> TestServer {
    TestServer::with_mode(BTreeMap::new(), Mode::Token)
}

/// A token of a user, and its id.
fn made(server: &TestServer, user: &str, role: Role, age: Option<Duration>) -> (String, String) {
    let (row, token) = token::make("test", user, role, age).unwrap();
    let connection = server.session.store().unwrap();
    tokens::insert(&connection, &row).unwrap();
    (row.id, token)
}

fn bearer(token: &str) -> Vec<(String, String)> {
    vec![("Authorization".to_owned(), format!("Bearer {token}"))]
}

fn basic(user: &str, password: &str) -> Vec<(String, String)> {
    let given = headers::Authorization::basic(user, password);
    let mut map = axum::http::HeaderMap::new();
    headers::HeaderMapExt::typed_insert(&mut map, given);
    let value = map["authorization"].to_str().unwrap().to_owned();
    vec![("Authorization".to_owned(), value)]
}

/// A workflow of a user, with an access list.
fn job(server: &TestServer, id: &str, user: &str, acl: &str) {
    let conf = serde_json::json!({ "user.name": user, "oozie.job.acl": acl });
    let row = JobRow {
        conf: conf.to_string(),
        ..JobRow::new(id, 0)
    };
    let connection = server.session.store().unwrap();
    query::insert_job(&connection, &row).unwrap();
}

#[track_caller]
fn refused(answer: &Answer, status: u16, code: &str) {
    let given = (answer.status.as_u16(), answer.code());
    assert_eq!(given, (status, Some(code)), "{}", answer.body);
}

#[test]
fn without_a_token_nothing_is_answered_but_what_tells_nothing() {
    let server = with_tokens();
    for (method, path) in [
        ("GET", "/oozie/versions"),
        ("OPTIONS", "/oozie/versions"),
        ("GET", "/oozie/v2/jobs?user.name=root"),
        ("POST", "/oozie/v2/jobs?user.name=root"),
        ("PUT", KILL),
        ("GET", "/oozie/v2/admin/os-env"),
        ("GET", "/metrics"),
        ("GET", "/nothing"),
        ("GET", "/oozie/callback/../v2/jobs"),
    ] {
        let answer = server.send(method, path, &[], "");
        refused(&answer, 401, "E0500");
        let ways = answer.headers.get_all("www-authenticate").iter();
        let ways: Vec<&str> = ways.map(|it| it.to_str().unwrap()).collect();
        assert!(ways[0].starts_with("Bearer ") && ways[1].starts_with("Basic "));
        assert_eq!(answer.header("set-cookie"), None, "{method} {path}");
    }
    for (path, body) in [("/healthz", "ok\n"), ("/readyz", "ready\n")] {
        let strange = [("Host".to_owned(), "probe.example".to_owned())];
        let answer = server.send("GET", path, &strange, "");
        assert_eq!((answer.status.as_u16(), answer.body.as_str()), (200, body));
    }
    let answer = server.send("GET", "/oozie/callback?id=x", &[], "");
    refused(&answer, 400, "E0402");
}

#[test]
fn a_token_is_taken_as_bearer_and_as_password() {
    let server = with_tokens();
    let (_, token) = made(&server, "ada", Role::Read, Some(Duration::from_secs(60)));
    for headers in [bearer(&token), basic("ada", &token), basic("", &token)] {
        let answer = server.send("GET", "/oozie/v2/jobs", &headers, "");
        assert_eq!(answer.status, 200, "{headers:?}");
        assert_eq!(answer.header("set-cookie"), None);
    }
    let other = server.send("GET", "/oozie/v2/jobs", &basic("eve", &token), "");
    refused(&other, 401, "E0500");
}

#[test]
fn the_use_of_a_token_is_noted() {
    let server = with_tokens();
    let (id, token) = made(&server, "ada", Role::Read, None);
    let connection = server.session.store().unwrap();
    let used = || tokens::find(&connection, &id).unwrap().unwrap().used;
    assert_eq!(used(), None);
    let answer = server.send("GET", "/oozie/v2/jobs", &bearer(&token), "");
    assert_eq!(answer.status, 200);
    let patience = std::time::Instant::now() + Duration::from_secs(60);
    while used().is_none() && std::time::Instant::now() < patience {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(used().is_some(), "no request waits for it, but it is noted");
}

#[test]
fn a_wrong_stolen_expired_or_revoked_token_is_none() {
    let server = with_tokens();
    let (id, revoked) = made(&server, "ada", Role::Admin, None);
    let (_, valid) = made(&server, "ada", Role::Admin, None);
    let (_, expired) = made(&server, "ada", Role::Admin, Some(Duration::ZERO));
    let (_, foreign) = token::make("test", "ada", Role::Admin, None).unwrap();
    let connection = server.session.store().unwrap();
    assert_eq!(tokens::revoke(&connection, &id, 1), Ok(true));
    // The id of a valid one with the secret of another.
    let id_of_valid = token::id_in(&valid).unwrap();
    let mixed = foreign.replace(token::id_in(&foreign).unwrap(), id_of_valid);
    let flipped = valid.replace(['0', '1'], "2");
    let mut answers = Vec::new();
    for bad in [revoked, expired, foreign, mixed, flipped] {
        let answer = server.send("GET", "/oozie/v2/jobs", &bearer(&bad), "");
        refused(&answer, 401, "E0500");
        answers.push(answer.body);
    }
    // Nobody learns which of it was wrong.
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
    for bad in ["", "hpdl_", "x", "Bearer", "hpdl_' OR 1=1--_"] {
        let answer = server.send("GET", "/oozie/v2/jobs", &bearer(bad), "");
        assert_eq!(answer.status, 401, "{bad}");
    }
    let answer = server.send("GET", "/oozie/v2/jobs", &bearer(&valid), "");
    assert_eq!(answer.status, 200);
}

#[test]
fn a_cookie_is_no_proof_where_tokens_are_needed() {
    let site = BTreeMap::new();
    let simple = TestServer::with_mode(site, Mode::Simple);
    let given = simple.get("/versions?user.name=ada");
    let cookie = given.header("set-cookie").unwrap();
    let cookie = cookie.split(';').next().unwrap().to_owned();
    let sent = [("Cookie".to_owned(), cookie)];
    let tokens = simple.with_other_mode(Mode::Token);
    let answer = tokens.send("GET", "/oozie/v2/jobs", &sent, "");
    refused(&answer, 401, "E0500");
}

#[test]
fn a_role_allows_what_it_says() {
    let server = with_tokens();
    job(&server, "0000001-1-hpdl-W", "ada", "");
    let (_, read) = made(&server, "ada", Role::Read, None);
    let (_, operate) = made(&server, "ada", Role::Operate, None);
    let (_, admin) = made(&server, "root", Role::Admin, None);
    let safe = "/oozie/v2/admin/status?systemmode=SAFEMODE";
    let purge = "/oozie/v2/admin/purge?wf=x";
    let ask = |token: &str, method: &str, path: &str| server.send(method, path, &bearer(token), "");
    for (method, path) in [("PUT", KILL), ("POST", "/oozie/v2/jobs"), ("PUT", safe)] {
        refused(&ask(&read, method, path), 403, "E0500");
    }
    for (method, path) in [
        ("PUT", safe),
        ("PUT", purge),
        ("GET", "/oozie/v2/admin/update_sharelib"),
        ("PUT", "/hws/v1/admin/status?action=deactivate"),
        ("PUT", "/hws/v1/admin/purge?days=1"),
        ("PUT", "/hws/v1/applications/load?action=suspend"),
        ("DELETE", "/hws/v1/applications/load"),
    ] {
        refused(&ask(&operate, method, path), 401, "E0503");
    }
    assert_eq!(ask(&read, "GET", "/metrics").status, 200);
    assert_eq!(
        ask(&read, "GET", "/oozie/v2/admin/status").json()["systemMode"],
        "NORMAL"
    );
    refused(&ask(&admin, "PUT", purge), 400, "E1603");
    assert_eq!(ask(&admin, "PUT", safe).status, 200);
    assert_eq!(
        ask(&read, "GET", "/oozie/v2/admin/status").json()["systemMode"],
        "SAFEMODE"
    );
}

#[test]
fn a_job_is_commanded_by_its_owner_its_list_and_administrators() {
    let site = [
        (OWNERS_ONLY.to_owned(), "true".to_owned()),
        (
            "oozie.serviceAuthorizationService.admin.users".to_owned(),
            "boss, chief".to_owned(),
        ),
    ];
    let server = TestServer::with_site(site.into());
    // Its state has no use for the command, which is no error.
    job(&server, "0000001-1-hpdl-W", "ada", "bob, root");
    job(&server, "0000002-1-hpdl-W", "ada", "");
    let suspend = |number: u8, user: &str| {
        let path = format!("/v2/job/000000{number}-1-hpdl-W?action=suspend&user.name={user}");
        server.put(&path)
    };
    for (number, user) in [
        (1, "ada"),
        (1, "bob"),
        (1, "root"),
        (2, "ada"),
        (2, "chief"),
    ] {
        assert_eq!(suspend(number, user).status, 200, "{number} {user}");
    }
    refused(&suspend(2, "bob"), 401, "E0508");
    let nobody = suspend(1, "nobody-of-this-name");
    refused(&nobody, 401, "E0501");
    let reason = nobody.reason.unwrap();
    assert!(
        reason.ends_with("No groups found for user nobody-of-this-name"),
        "{reason}"
    );
    // One that is named among others, or by its action.
    for id in ["0000002-1-hpdl-W@a", "0000001-1-hpdl-W,0000002-1-hpdl-W"] {
        let path = format!("/v2/job/{id}?action=kill&user.name=bob");
        refused(&server.put(&path), 401, "E0508");
    }
    for path in ["", "/actions/a"] {
        let path = format!("/hws/v1/jobs/0000002-1-hpdl-W{path}?action=kill&user.name=bob");
        refused(&server.send("PUT", &path, &[], ""), 401, "E0508");
    }
    // All of them or none.
    let bulk = "/v1/jobs?action=kill&jobtype=wf&filter=status%3DPREP&user.name=bob";
    refused(&server.put(bulk), 401, "E0508");
    let first = server.get("/v2/job/0000001-1-hpdl-W?show=status");
    assert_eq!(first.json()["status"], "PREP");
    refused(
        &server.put("/v2/admin/status?systemmode=SAFEMODE&user.name=ada"),
        401,
        "E0503",
    );
    let boss = server.put("/v2/admin/status?systemmode=NORMAL&user.name=boss");
    assert_eq!(boss.status, 200);
    let read = server.get("/v2/job/0000001-1-hpdl-W?show=status&user.name=eve");
    assert_eq!(read.status, 200);
}

#[test]
fn an_administrator_who_acts_for_another_has_that_ones_rights() {
    let site = [("hosts", "*"), ("groups", "*")].map(|(what, value)| {
        let name = format!("oozie.service.ProxyUserService.proxyuser.hue.{what}");
        (name, value.to_owned())
    });
    let server = TestServer::with_mode(site.into(), Mode::Token);
    job(&server, "0000001-1-hpdl-W", "ada", "");
    let (id, hue) = made(&server, "hue", Role::Admin, None);
    let ask = |doas: &str| {
        let path = format!("/oozie/v2/job/0000001-1-hpdl-W?action=suspend{doas}");
        server.send("PUT", &path, &bearer(&hue), "")
    };
    assert_eq!(ask("").status, 200);
    assert_eq!(ask("&doAs=ada").status, 200);
    refused(&ask("&doAs=bob"), 401, "E0508");
    let connection = server.session.store().unwrap();
    let rows = audit::of_job(&connection, "0000001-1-hpdl-W").unwrap();
    let last = rows.last().unwrap();
    assert_eq!(last.user.as_deref(), Some("bob"));
    assert_eq!(last.proxy.as_deref(), Some("hue"));
    assert_eq!(last.token.as_deref(), Some(id.as_str()));
    assert_eq!(
        (last.status, last.code.as_deref()),
        (Some(401), Some("E0508"))
    );
}

#[test]
fn the_audit_has_commands_and_refusals_and_no_reads() {
    let server = with_tokens();
    job(&server, "0000001-1-hpdl-W", "ada", "");
    let (_, read) = made(&server, "eve", Role::Read, None);
    let (_, operate) = made(&server, "ada", Role::Operate, None);
    server.send("GET", "/oozie/v2/jobs", &bearer(&read), "");
    server.send("PUT", KILL, &bearer(&read), "");
    server.send("PUT", KILL, &[], "");
    let path = "/oozie/v2/job/0000001-1-hpdl-W?action=suspend&x=1";
    server.send("PUT", path, &bearer(&operate), "");
    let connection = server.session.store().unwrap();
    let rows = audit::last(&connection, 9).unwrap();
    let kept: Vec<_> = rows
        .iter()
        .map(|it| (it.operation.as_str(), it.user.as_deref(), it.status))
        .collect();
    let expected = [
        ("kill", Some("eve"), Some(403)),
        ("suspend", Some("ada"), Some(200)),
    ];
    assert_eq!(kept, expected);
    assert_eq!(rows[1].parameter.as_deref(), Some("x=1"));
    let path = "/oozie/v2/job/0000001-1-hpdl-W?show=auditlog";
    let log = server.send("GET", path, &bearer(&read), "").body;
    assert!(log.contains("USER [eve], GROUP [null], APP"), "{log}");
    assert!(
        log.contains("STATUS [FAILED], HTTPCODE [403], ERRORCODE [E0500]"),
        "{log}"
    );
}

#[test]
fn anonymous_requests_can_be_disallowed() {
    let name = "oozie.authentication.simple.anonymous.allowed";
    let site = [(name.to_owned(), "false".to_owned())];
    let server = TestServer::with_site(site.into());
    let answer = server.get("/versions");
    assert_eq!(answer.status, 403);
    assert_eq!(
        answer.reason.as_deref(),
        Some("Anonymous requests are disallowed")
    );
    assert!(
        answer
            .header("set-cookie")
            .unwrap()
            .starts_with("hadoop.auth=;")
    );
    assert_eq!(server.get("/versions?user.name=ada").status, 200);
}
