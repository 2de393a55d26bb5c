//! The API of 2009 against a state folder with jobs and without executables.

use serde_json::Value;

use crate::serve::tests::{
    Answer, TestServer,
    kinds::{self, COORDINATOR, WORKFLOW},
};

fn ask(server: &TestServer, method: &str, path: &str) -> (u16, Value) {
    let answer: Answer = server.send(method, &format!("/hws/v1{path}"), &[], "");
    (answer.status.as_u16(), answer.json())
}

#[test]
fn jobs_have_the_states_of_the_proposal_and_no_secrets() {
    let server = kinds::server();
    let (status, page) = ask(&server, "GET", "/jobs?filter=status%3DRUNNING&len=1");
    assert_eq!((status, &page["total"]), (200, &1.into()), "{page}");
    assert_eq!(page["jobs"][0]["id"], WORKFLOW);
    assert_eq!(
        ask(&server, "GET", "/jobs?filter=status%3DCREATED").1["total"],
        0
    );
    let (status, job) = ask(&server, "GET", &format!("/jobs/{WORKFLOW}"));
    assert_eq!((status, &job["status"]), (200, &"RUNNING".into()));
    assert_eq!(job["actions"].as_array().map(Vec::len), Some(3));
    assert!(!job.to_string().contains("hunter22"), "{job}");
}

#[test]
fn what_is_refused_has_a_status_and_a_reason() {
    let server = kinds::server();
    let job = |rest: &str| format!("/jobs/{WORKFLOW}{rest}");
    for (method, path, expected) in [
        ("GET", "/applications?filter=foo%3D1".to_owned(), 400),
        ("GET", "/applications?offset=0".to_owned(), 400),
        ("GET", "/applications/none".to_owned(), 404),
        ("PUT", "/applications/none?action=activate".to_owned(), 404),
        ("DELETE", "/applications/none".to_owned(), 404),
        ("POST", "/applications/none".to_owned(), 405),
        ("GET", "/jobs/nonsense".to_owned(), 404),
        ("GET", format!("/jobs/{COORDINATOR}"), 404),
        ("GET", "/jobs?filter=status%3DPREMATURE".to_owned(), 400),
        ("POST", "/jobs".to_owned(), 400),
        ("POST", "/jobs?application=none".to_owned(), 404),
        ("PUT", job("?action=fly"), 400),
        ("PUT", job("?action=start"), 409),
        ("PUT", job("?action=resume"), 409),
        ("PUT", job("/actions/a?action=retry"), 409),
        ("PUT", job("/actions/z?action=retry"), 404),
        ("PUT", "/admin/purge?days=many".to_owned(), 400),
        ("PUT", "/admin/status?action=explode".to_owned(), 400),
    ] {
        let (status, answer) = ask(&server, method, &path);
        assert_eq!(status, expected, "{method} {path}: {answer}");
        let message = answer["error"]["message"].as_str().unwrap_or_default();
        assert!(!message.is_empty(), "{method} {path}: {answer}");
    }
}

#[test]
fn a_deactivated_server_answers_for_itself_alone() {
    let server = kinds::server();
    let status = |action: &str| {
        let path = format!("/admin/status?action={action}");
        ask(&server, "PUT", &path).1["status"].clone()
    };
    assert_eq!(status("deactivate"), "INACTIVE");
    assert_eq!(ask(&server, "GET", "/jobs").0, 503);
    assert_eq!(ask(&server, "GET", "/applications").0, 503);
    assert_eq!(ask(&server, "GET", "/admin/status").0, 200);
    assert_eq!(status("activate"), "ACTIVE");
    assert_eq!(ask(&server, "GET", "/jobs").0, 200);
    for resource in ["instrumentation", "environment", "properties"] {
        assert_eq!(ask(&server, "GET", &format!("/admin/{resource}")).0, 200);
    }
}
