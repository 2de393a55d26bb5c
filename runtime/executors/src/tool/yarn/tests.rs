use std::{
    io::{Read, Write},
    net::TcpListener,
    thread,
};

use super::*;
use crate::ToolKind;
use crate::tool::call::testing::{map, tool};
use crate::tool::configuration;

#[test]
fn resource_managers_are_those_of_the_files_or_of_the_action() {
    let of = |manager: Option<&str>, site: BTreeMap<String, String>| {
        let mut tool = tool(ToolKind::Distcp, []);
        tool.resource_manager = manager.map(str::to_owned);
        let found = managers(&tool.said(), &site);
        // The configuration of a `shell` action repeats it.
        let address = manager.map(|manager| (configuration::RESOURCE_MANAGER, manager));
        tool.configuration = address.map(|it| map([it])).unwrap_or_default();
        assert_eq!(managers(&tool.said(), &site), found);
        found
    };
    let plain = map([
        ("yarn.resourcemanager.address", "a:8032"),
        ("yarn.resourcemanager.webapp.address", "a:18088"),
    ]);
    assert_eq!(of(None, plain.clone()), ["http://a:18088"]);
    assert_eq!(of(Some("a:8032"), plain.clone()), ["http://a:18088"]);
    assert_eq!(of(Some("b:8032"), plain), ["http://b:8088"]);
    assert_eq!(of(Some("b:8032"), map([])), ["http://b:8088"]);
    assert_eq!(of(Some("logical"), map([])), [""; 0]);
    let host = map([("yarn.resourcemanager.hostname", "a")]);
    assert_eq!(of(Some("a:8032"), host), ["http://a:8088"]);
    let tls = map([
        ("yarn.http.policy", "HTTPS_ONLY"),
        ("yarn.resourcemanager.hostname", "a"),
    ]);
    assert_eq!(of(None, tls), ["https://a:8090"]);
    let two = map([
        ("yarn.resourcemanager.ha.enabled", "true"),
        ("yarn.resourcemanager.ha.rm-ids", "x, y"),
        ("yarn.resourcemanager.hostname.x", "a"),
        ("yarn.resourcemanager.webapp.address.y", "b:18088"),
    ]);
    assert_eq!(
        of(Some("cluster"), two.clone()),
        ["http://a:8088", "http://b:18088"]
    );
    let mut named = tool(ToolKind::Distcp, []);
    named.settings = map([("hpdl.yarn.webapp.address", "c:1, https://d:2/")]);
    assert_eq!(managers(&named.said(), &two), ["http://c:1", "https://d:2"]);
}

#[test]
fn the_schedulers_of_all_resource_managers_are_known() {
    let of = |site: BTreeMap<String, String>, settings: BTreeMap<String, String>| {
        let mut tool = tool(ToolKind::Distcp, []);
        tool.settings = settings;
        schedulers(&tool.said(), &site)
    };
    let two = map([
        ("yarn.resourcemanager.ha.enabled", " True"),
        ("yarn.resourcemanager.ha.rm-ids", "x,y,z"),
        ("yarn.resourcemanager.hostname.x", "a"),
        ("yarn.resourcemanager.scheduler.address.y", "b:18030"),
        ("yarn.resourcemanager.hostname.z", "c"),
        ("yarn.resourcemanager.scheduler.address.z", "0.0.0.0:28030"),
    ]);
    assert_eq!(of(two.clone(), map([])), ["a:8030", "b:18030", "c:28030"]);
    // They may be those of another cluster.
    let named = map([("hpdl.yarn.webapp.address", "d:8088")]);
    assert_eq!(of(two, named), [""; 0]);
    // The one that answers says its own.
    let one = map([("yarn.resourcemanager.hostname", "a")]);
    assert_eq!(of(one, map([])), [""; 0]);
}

/// The first one does not answer: the second one is asked first from then on, and both are named where none answers.
#[test]
fn the_resource_manager_that_answers_is_asked_first() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let second = format!("http://{}", listener.local_addr().unwrap());
    let server = thread::spawn(move || {
        for stream in listener.incoming().take(1) {
            let mut stream = stream.unwrap();
            let mut request = [0; 4096];
            let _ = stream.read(&mut request).unwrap();
            let body = r#"{"app":{"id":"application_1_1","state":"ACCEPTED","diagnostics":"x"}}"#;
            let head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/json";
            let length = body.len();
            write!(stream, "{head}\r\nContent-Length: {length}\r\n\r\n{body}").unwrap();
        }
    });
    let nobody = "http://127.0.0.1:1";
    let mut tool = tool(ToolKind::Distcp, []);
    let both = format!("{nobody},{second}");
    tool.settings = map([("hpdl.yarn.webapp.address", both.as_str())]);
    let yarn = Yarn::of(&tool.said(), &map([]));
    assert_eq!(yarn.address(), nobody);
    let app = yarn.application("application_1_1").unwrap().unwrap();
    assert!(app.is_waiting && app.end.is_none(), "{app:?}");
    assert_eq!(yarn.address(), second);
    server.join().unwrap();
    let error = yarn.application("application_1_1").unwrap_err();
    let message = error.to_string();
    assert!(
        message.starts_with(&second) && message.contains(nobody),
        "{message}"
    );
    assert_eq!(error.kind(), io::ErrorKind::NotConnected);
}

#[test]
fn a_service_that_listens_everywhere_is_on_the_host_of_the_pages() {
    for (address, expected) in [("0.0.0.0:8030", "rm:8030"), ("rm1:8030", "rm1:8030")] {
        assert_eq!(addresses::reachable(address, "http://rm:8088"), expected);
    }
}

#[test]
fn the_history_is_where_the_files_say_or_beside_the_resource_manager() {
    let tool = tool(ToolKind::Distcp, []);
    let of = |site: BTreeMap<String, String>| HistoryServer::of(&tool.said(), &site);
    let at = |address: &str, is_guess| HistoryServer {
        address: address.to_owned(),
        is_guess,
    };
    assert_eq!(of(map([])), at("http://rm:19888", true));
    let site = map([("mapreduce.jobhistory.address", "h:10020")]);
    assert_eq!(of(site), at("http://h:19888", false));
    let site = map([("mapreduce.jobhistory.webapp.address", "h:1")]);
    assert_eq!(of(site), at("http://h:1", false));
}

#[test]
fn an_end_is_told_by_two_states() {
    use ApplicationEnd::{Failed, Killed, Succeeded};
    for (state, status, expected) in [
        ("NEW", "UNDEFINED", None),
        ("ACCEPTED", "UNDEFINED", None),
        ("RUNNING", "UNDEFINED", None),
        ("FINISHED", "SUCCEEDED", Some(Succeeded)),
        ("FINISHED", "FAILED", Some(Failed)),
        ("FINISHED", "KILLED", Some(Killed)),
        ("FINISHED", "UNDEFINED", Some(Failed)),
        ("FAILED", "FAILED", Some(Failed)),
        ("KILLED", "KILLED", Some(Killed)),
        ("SUCCEEDED", "", Some(Succeeded)),
        ("ERROR", "", Some(Failed)),
    ] {
        assert_eq!(end(state, status), expected, "{state} {status}");
    }
}

/// A web server before the service refuses every request.
#[test]
fn a_cluster_that_wants_authentication_answers_nothing() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let server = thread::spawn(move || {
        for stream in listener.incoming().take(7) {
            let mut stream = stream.unwrap();
            let mut request = [0; 4096];
            let _ = stream.read(&mut request).unwrap();
            let body = r#"{"servlet":"x","status":"401","message":"Authentication required"}"#;
            let head =
                "HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Type: application/json";
            let length = body.len();
            write!(stream, "{head}\r\nContent-Length: {length}\r\n\r\n{body}").unwrap();
        }
    });
    let mut tool = tool(ToolKind::Distcp, []);
    tool.settings = map([
        ("hpdl.yarn.webapp.address", address.as_str()),
        ("hpdl.hadoop.history.webapp.address", address.as_str()),
    ]);
    let yarn = Yarn::of(&tool.said(), &map([]));
    for problem in [
        yarn.tagged("t").map(drop),
        yarn.application("application_1_1").map(drop),
        yarn.kill("application_1_1"),
        yarn.new_application().map(drop),
        yarn.submit(&json!({})),
        yarn.job_end("job_1_1").map(drop),
    ] {
        let error = problem.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::PermissionDenied, "{error}");
        let message = error.to_string();
        assert!(
            message.contains("401: Authentication required"),
            "{message}"
        );
    }
    let counters = yarn.counters("job_1_1").unwrap();
    assert!(
        matches!(counters, RememberedJob::Strange(_)),
        "{counters:?}"
    );
    server.join().unwrap();
}

#[test]
fn tags_are_whole_words() {
    let app = json!({ "applicationTags": "hpdl-1, oozie-2" });
    assert!(has_tag(&app, "hpdl-1") && has_tag(&app, "oozie-2"));
    assert!(!has_tag(&app, "hpdl") && !has_tag(&json!({}), "hpdl-1"));
}
