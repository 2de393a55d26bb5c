//! Service levels: the events of version 1, and what is refused of the commands.

use super::kinds::{self, BUNDLE, COORDINATOR, WORKFLOW};

/// The numbers of the events in an answer, and the last one that it names.
fn numbers(body: &str, element: &str) -> Vec<i64> {
    let begin = format!("<{element}>");
    let parts = body.split(&begin).skip(1);
    parts
        .map(|part| part.split('<').next().unwrap().parse().unwrap())
        .collect()
}

#[test]
fn events_of_version_1_are_read_in_pages() {
    let server = kinds::server();
    let all = server.get("/v1/sla?gt-sequence-id=0");
    assert_eq!(all.status, 200, "{}", all.body);
    for part in [
        format!("<sla-id>{WORKFLOW}</sla-id>"),
        "<app-type>WORKFLOW_JOB</app-type>".to_owned(),
        "<expected-start>2026-11-25T09:51Z</expected-start>".to_owned(),
        "<job-status>CREATED</job-status>".to_owned(),
        "<job-status>STARTED</job-status>".to_owned(),
    ] {
        assert!(all.body.contains(&part), "{part}: {}", all.body);
    }
    let found = numbers(&all.body, "sequence-id");
    let last = numbers(&all.body, "last-sequence-id");
    assert_eq!((found.len(), last), (2, vec![found[1]]));
    let mut after = 0;
    for expected in &found {
        let path = format!("/v1/sla?gt-sequence-id={after}&max-events=1&filter=jobid%3D{WORKFLOW}");
        let page = server.get(&path).body;
        assert_eq!(numbers(&page, "sequence-id"), [*expected]);
        after = numbers(&page, "last-sequence-id")[0];
    }
    let none = server.get(&format!("/v1/sla?gt-sequence-id={after}")).body;
    let lines = "<sla-message>\r\n  <last-sequence-id>LAST</last-sequence-id>\r\n</sla-message>\n";
    assert_eq!(none, lines.replace("LAST", &after.to_string()));
    for (query, code) in [
        ("", "E0401"),
        ("gt-sequence-id=x", "E0307"),
        ("gt-sequence-id=0&max-events=x", "E0307"),
        ("gt-sequence-id=0&filter=foo%3D1", "E0401"),
        ("gt-sequence-id=0&filter=jobid", "E0401"),
    ] {
        let answer = server.get(&format!("/v1/sla?{query}"));
        assert_eq!(answer.code(), Some(code), "{query}");
    }
}

#[test]
fn commands_on_service_levels_are_for_coordinators_and_bundles_of_version_2() {
    let server = kinds::server();
    let xml = [("Content-Type".to_owned(), "application/xml".to_owned())];
    let other = "0009999-260101000000000-hpdl-C";
    for (version, id, query, code) in [
        ("v2", WORKFLOW, "action=sla-enable", "E0301"),
        ("v1", COORDINATOR, "action=sla-enable", "E0302"),
        ("v2", COORDINATOR, "action=sla-change", "E0305"),
        ("v2", other, "action=sla-disable", "E0604"),
        (
            "v2",
            BUNDLE,
            "action=sla-disable&coordinators=nobody",
            "E1026",
        ),
    ] {
        let path = format!("/oozie/{version}/job/{id}?{query}");
        let answer = server.send("PUT", &path, &xml, "");
        assert_eq!(answer.code(), Some(code), "{version} {query}");
    }
    let without_type = server.put(&format!("/v2/job/{COORDINATOR}?action=sla-enable"));
    assert_eq!(without_type.code(), Some("E0300"));
}
