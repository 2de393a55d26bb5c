//! What every request meets: who may ask, cookies, modes, and limits.

use super::TestServer;

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

#[test]
fn a_page_of_another_site_reaches_nothing() {
    let server = TestServer::new();
    let rebound = pairs(&[("Host", "evil.example:11000")]);
    let answer = server.send("GET", "/oozie/v2/jobs", &rebound, "");
    assert_eq!(answer.status, 403);
    let foreign = pairs(&[("Origin", "http://evil.example")]);
    let put = server.send(
        "PUT",
        "/oozie/v2/admin/status?systemmode=SAFEMODE",
        &foreign,
        "",
    );
    assert_eq!(put.status, 403);
    let own = pairs(&[("Origin", "http://localhost:11000")]);
    let put = server.send(
        "PUT",
        "/oozie/v2/admin/status?systemmode=SAFEMODE",
        &own,
        "",
    );
    assert_eq!(put.status, 200);
    assert_eq!(
        server.get("/v2/admin/status").json()["systemMode"],
        "SAFEMODE"
    );
}

#[test]
fn in_safe_mode_nothing_is_changed_and_everything_is_read() {
    let server = TestServer::new();
    server.put("/v2/admin/status?systemmode=SAFEMODE");
    let put = server.put("/v2/job/0000001-1-hpdl-W?action=kill");
    assert_eq!((put.status.as_u16(), put.code()), (503, Some("E0002")));
    assert_eq!(server.get("/v2/jobs").status, 200);
    server.put("/v2/admin/status?systemmode=NORMAL");
    let put = server.put("/v2/job/0000001-1-hpdl-W?action=kill");
    assert_eq!(put.code(), Some("E0605"));
}

#[test]
fn the_cookie_of_a_user_is_set_and_believed() {
    let server = TestServer::new();
    let options = server.send("OPTIONS", "/oozie/versions?user.name=ada", &[], "");
    assert_eq!(options.status, 200);
    assert_eq!(options.header("content-length"), Some("0"));
    let cookie = options
        .header("set-cookie")
        .unwrap()
        .split(';')
        .next()
        .unwrap();
    assert!(
        cookie.starts_with("hadoop.auth=\"u=ada&p=ada&t=simple&e="),
        "{cookie}"
    );
    let sent = pairs(&[("Cookie", cookie)]);
    let again = server.send("GET", "/oozie/versions?user.name=eve", &sent, "");
    assert_eq!(again.header("set-cookie"), None);
    assert_eq!(again.header("x-frame-options"), Some("DENY"));
}

#[test]
fn a_proxy_user_is_one_that_the_site_names() {
    let conf = "<configuration/>";
    let path = "/oozie/v2/jobs?user.name=hue&doAs=ada";
    let xml = pairs(&[("Content-Type", "application/xml")]);
    let refused = TestServer::new().send("POST", path, &xml, conf);
    assert_eq!(
        (refused.status.as_u16(), refused.code()),
        (401, Some("E1400"))
    );
    assert_eq!(
        refused.reason.as_deref(),
        Some("User [hue] not defined as proxyuser")
    );
    let site = [("hosts", "*"), ("groups", "*")].map(|(what, value)| {
        let name = format!("oozie.service.ProxyUserService.proxyuser.hue.{what}");
        (name, value.to_owned())
    });
    let accepted = TestServer::with_site(site.into()).send("POST", path, &xml, conf);
    assert_eq!(accepted.code(), Some("E0307"));
}

#[test]
fn a_body_has_a_limit_and_a_type() {
    let server = TestServer::new();
    let xml = pairs(&[("Content-Type", "application/xml")]);
    let long = "x".repeat(5 << 20);
    let answer = server.send("POST", "/oozie/v2/jobs", &xml, &long);
    assert_eq!(answer.status, 413);
    let answer = server.send("POST", "/oozie/v2/jobs", &[], "<configuration/>");
    assert_eq!(answer.code(), Some("E0300"));
}

#[test]
fn ids_and_paths_of_strangers_are_data() {
    let server = TestServer::new();
    for id in [
        "..%2f..%2fetc%2fpasswd",
        "'%20OR%201=1--",
        "%00",
        "-W@..%2f..",
        "last",
        "1",
        "%ff",
        "--help-W",
    ] {
        for show in [
            "info",
            "log",
            "definition",
            "status",
            "graph&format=dot",
            "auditlog",
        ] {
            let answer = server.get(&format!("/v2/job/{id}?show={show}"));
            assert!(
                answer.status.is_client_error() || answer.status == 500,
                "{id} {show}"
            );
            assert_ne!(answer.header("x-frame-options"), None, "{id} {show}");
        }
        let put = server.put(&format!("/v2/job/{id}?action=kill"));
        assert!(put.status.is_client_error(), "{id}");
    }
    let path = "/v2/jobs?filter=name%3D'%29%20OR%201%3D1--&len=1";
    assert_eq!(server.get(path).status, 400);
    let path = "/v2/jobs?filter=name%3D'%29%20OR%20(1--";
    assert_eq!(server.get(path).json()["total"], 0);
}
