//! What strangers send: any request is answered, by a status that says what is wrong with it, and nothing is changed.

use std::time::{Duration, Instant};

use proptest::{
    collection::vec,
    prelude::{Strategy, any, prop_oneof},
    sample::select,
    test_runner::{Config, TestRunner},
};

use super::TestServer;

fn xml() -> Vec<(String, String)> {
    vec![("Content-Type".to_owned(), "application/xml".to_owned())]
}

/// Texts that have broken something somewhere.
const NASTY: [&str; 16] = [
    "",
    "'",
    "' OR 1=1--",
    "\"",
    "%00",
    "%ff%fe",
    "..%2f..%2fetc%2fpasswd",
    "%3Cscript%3E",
    "%0d%0aSet-Cookie:%20x=1",
    "99999999999999999999",
    "-1",
    "275760-09-13T00:00Z",
    "%F0%9F%92%A9",
    "${jndi:ldap://x}",
    "0000001-1-hpdl-C@1-9223372036854775807",
    "a;b=c;d==e",
];

/// Parts of paths and parameters that lead somewhere.
const WORDS: [&str; 46] = [
    "oozie",
    "v0",
    "v1",
    "v2",
    "job",
    "jobs",
    "admin",
    "sla",
    "validate",
    "versions",
    "callback",
    "metrics",
    "status",
    "configuration",
    "os-env",
    "queue-dump",
    "available-timezones",
    "show",
    "info",
    "log",
    "errorlog",
    "auditlog",
    "definition",
    "graph",
    "retries",
    "allruns",
    "action",
    "kill",
    "suspend",
    "change",
    "rerun",
    "coord-rerun",
    "scope",
    "date",
    "filter",
    "offset",
    "len",
    "order",
    "timezone",
    "logfilter",
    "bulk",
    "jobtype",
    "user.name",
    "doAs",
    "value",
    "0000001-1-hpdl-W",
];

fn part() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => select(&WORDS[..]).prop_map(str::to_owned),
        2 => select(&NASTY[..]).prop_map(str::to_owned),
        1 => "[a-z0-9%=&;@:,.-]{0,12}",
    ]
}

#[test]
fn every_request_has_an_answer() {
    let server = TestServer::new();
    let request = (
        select(&["GET", "PUT", "POST", "OPTIONS", "DELETE", "HEAD", "TRACE"][..]),
        vec(part(), 0..5),
        vec((part(), part()), 0..5),
        vec(any::<u8>(), 0..200),
        any::<bool>(),
    );
    let config = Config {
        failure_persistence: None,
        ..Config::with_cases(1_000)
    };
    let mut runner = TestRunner::new(config);
    let ran = runner.run(&request, |(method, path, query, body, is_xml)| {
        let query: Vec<String> = query.iter().map(|(k, v)| format!("{k}={v}")).collect();
        let path = format!("/{}?{}", path.join("/"), query.join("&"));
        if path.parse::<axum::http::Uri>().is_err() {
            return Ok(());
        }
        let headers = if is_xml { xml() } else { Vec::new() };
        let body = String::from_utf8_lossy(&body).into_owned();
        let answer = server.send(method, &path, &headers, &body);
        let is_ours = !answer.body.contains("a bug in hpdl");
        proptest::prop_assert!(is_ours, "{} {}: {}", method, path, answer.body);
        let has_headers = answer.header("x-frame-options") == Some("DENY");
        proptest::prop_assert!(has_headers, "{} {}", method, path);
        Ok(())
    });
    if let Err(failure) = ran {
        panic!("{failure}");
    }
}

#[test]
fn a_document_that_grows_is_refused_at_once() {
    let server = TestServer::new();
    let mut bomb = "<!DOCTYPE x [<!ENTITY a0 \"ha\">".to_owned();
    for i in 1..40 {
        let inner = format!("&a{};", i - 1).repeat(10);
        bomb.push_str(&format!("<!ENTITY a{i} \"{inner}\">"));
    }
    bomb.push_str(
        "]><configuration><property><name>a</name><value>&a39;</value></property></configuration>",
    );
    // References that are properties, each to the last one ten times.
    let mut chain = "<configuration>".to_owned();
    for i in 1..200 {
        let value = format!("${{p{}}}", i - 1).repeat(10);
        chain.push_str(&format!(
            "<property><name>p{i}</name><value>{value}</value></property>"
        ));
    }
    chain.push_str("</configuration>");
    let deep = format!(
        "{}{}",
        "<configuration>".repeat(100_000),
        "</configuration>".repeat(100_000)
    );
    let file = "<!DOCTYPE c [<!ENTITY f SYSTEM \"file:///etc/passwd\">]><configuration><property><name>user.name</name><value>&f;</value></property></configuration>";
    let begun = Instant::now();
    for body in [bomb.as_str(), &chain, &deep, file] {
        for (method, path) in [
            ("POST", "/oozie/v2/jobs"),
            ("PUT", "/oozie/v2/job/0000001-1-hpdl-W?action=rerun"),
        ] {
            let answer = server.send(method, path, &xml(), body);
            let status = answer.status.as_u16();
            assert!((400..=500).contains(&status), "{status}: {}", answer.body);
            assert!(!answer.body.contains("root:"), "{}", answer.body);
        }
    }
    assert!(
        begun.elapsed() < Duration::from_secs(20),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn dates_beyond_time_are_refused_or_find_nothing() {
    let server = TestServer::new();
    for date in [
        "275760-09-13T00:00Z",
        "-271821-04-20T00:00Z",
        "+292278994-08-17T07:12Z",
        "9999-99-99T99:99Z",
    ] {
        let date = date.replace('+', "%2B");
        for path in [
            format!("/v2/jobs?filter=startcreatedtime%3D{date}"),
            format!("/v2/jobs?jobtype=coordinator&filter=endcreatedtime%3D{date}"),
            format!("/v2/sla?filter=nominal_after%3D{date}"),
            format!("/v1/jobs?bulk=bundle%3Dx;startcreatedtime%3D{date}"),
            format!("/v2/job/0000001-1-hpdl-C?show=log&type=date&scope={date}::{date}"),
            format!("/v2/job/0000001-1-hpdl-W?show=log&logfilter=start%3D{date}"),
        ] {
            let answer = server.get(&path);
            let status = answer.status.as_u16();
            assert!(
                status == 200 || (400..=500).contains(&status),
                "{path}: {status}"
            );
            assert!(
                !answer.body.contains("a bug in hpdl"),
                "{path}: {}",
                answer.body
            );
        }
    }
}

/// What schemathesis found: a wrong name of a user is a wrong request, and the API of 2009 says so in its own form to every method. An empty
/// one is what Oozie fails at.
#[test]
fn a_wrong_user_name_is_refused_in_the_form_of_the_api() {
    let server = TestServer::new();
    for (method, path, status, key) in [
        ("GET", "/oozie/v2/jobs?user.name=", 500, "errorMessage"),
        ("GET", "/oozie/v2/jobs?user.name=a%09b", 400, "errorMessage"),
        (
            "GET",
            "/oozie/v1/admin/status?user.name=%C3%A9",
            400,
            "errorMessage",
        ),
        ("PUT", "/oozie/v2/admin/status?user.name=%27", 400, ""),
        (
            "GET",
            "/oozie/hpdl/v1/command?arg=jobs&user.name=",
            400,
            "errorMessage",
        ),
        ("GET", "/metrics?user.name=", 400, "errorMessage"),
        ("GET", "/openapi.json?user.name=%7C", 400, "errorMessage"),
        ("GET", "/hws/v1/jobs?user.name=", 400, "error"),
        (
            "PUT",
            "/hws/v1/admin/status?action=activate&user.name=",
            400,
            "error",
        ),
        (
            "DELETE",
            "/hws/v1/applications/x?user.name=%00",
            400,
            "error",
        ),
        ("POST", "/hws/v1/jobs?application=x&doAs=bob", 401, "error"),
        ("GET", "/hws/v1/nothing", 404, "error"),
    ] {
        let answer = server.send(method, path, &[], "");
        assert_eq!(
            answer.status.as_u16(),
            status,
            "{method} {path}: {}",
            answer.body
        );
        match key {
            "" => assert_eq!(answer.body, "", "{method} {path}"),
            key => assert!(
                answer.json().get(key).is_some(),
                "{method} {path}: {}",
                answer.body
            ),
        }
    }
}
