//! Who is not admitted: people get a page, programs get Oozie's answer.

use std::collections::BTreeMap;

use super::{check_markup, header};
use crate::serve::{
    policy::Mode,
    tests::{Answer, TestServer},
};

/// What browsers send, and what clients of Oozie do that are written in Java.
const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const JAVA: &str = "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2";

fn get(server: &TestServer, path: &str, accept: &str) -> Answer {
    let headers = [("Accept".to_owned(), accept.to_owned())];
    server.send("GET", path, &headers, "")
}

#[test]
fn a_browser_without_a_token_is_told_what_to_do() {
    let server = TestServer::with_mode(BTreeMap::new(), Mode::Token);
    for path in [
        "/oozie/",
        "/",
        "/oozie/console/apps",
        "/oozie/console/job/1-W?after=%3Cscript%3E",
    ] {
        let page = get(&server, path, BROWSER);
        assert_eq!(page.status, 401, "{path}");
        assert_eq!(header(&page, "content-type"), "text/html; charset=utf-8");
        assert!(header(&page, "content-security-policy").starts_with("default-src 'none'"));
        let ways = page.headers.get_all("www-authenticate").iter();
        let ways: Vec<&str> = ways.filter_map(|way| way.to_str().ok()).collect();
        assert!(ways.iter().any(|way| way.starts_with("Basic ")), "{ways:?}");
        for part in [
            "<h1>Sign in</h1>",
            "The password is your token",
            "hpdl token new NAME",
        ] {
            assert!(page.body.contains(part), "{part}: {}", page.body);
        }
        let home = server.session.home.root().display().to_string();
        assert!(!page.body.contains(&home), "strangers learn no paths");
        check_markup(path, &page.body);
        // Its style is there without a token.
        let end = page.body.find(".css").unwrap() + 4;
        let start = page.body[..end].rfind('"').unwrap() + 1;
        assert_eq!(get(&server, &page.body[start..end], "text/css").status, 200);
    }
}

#[test]
fn programs_are_refused_as_by_oozie() {
    let server = TestServer::with_mode(BTreeMap::new(), Mode::Token);
    for (path, accept) in [
        ("/oozie/v2/jobs", JAVA),
        ("/oozie/v1/admin/status", BROWSER),
        ("/oozie/", "*/*"),
        ("/oozie/console/live", "text/event-stream"),
        ("/openapi.json", BROWSER),
        ("/oozie/consoles", BROWSER),
        ("/oozie/console/assets/x", "application/json"),
    ] {
        let answer = get(&server, path, accept);
        assert_eq!(answer.status, 401, "{path}");
        assert_eq!(answer.code(), Some("E0500"), "{path}");
        assert!(answer.body.starts_with('{'), "{path}: {}", answer.body);
    }
}

#[test]
fn a_page_of_another_site_and_a_nameless_caller_are_refused_with_a_page() {
    let site = BTreeMap::from([(
        "oozie.authentication.simple.anonymous.allowed".to_owned(),
        "false".to_owned(),
    )]);
    let server = TestServer::with_site(site);
    let page = get(&server, "/oozie/", BROWSER);
    assert_eq!(page.status, 403);
    assert!(page.body.contains("add ?user.name=NAME"), "{}", page.body);
    let headers = [("Host", "evil.example"), ("Accept", BROWSER)];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let page = server.send("GET", "/oozie/", &headers, "");
    assert_eq!(page.status, 403);
    assert!(page.body.contains("<h1>Not allowed</h1>") && !page.body.contains("user.name=NAME"));
}
