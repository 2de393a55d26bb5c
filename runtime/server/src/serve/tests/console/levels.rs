//! Service levels: their table, its filters and its links. Bundles: what their coordinators do.

use serde_json::json;

use crate::serve::tests::kinds::{self, BUNDLE, COORDINATOR, WORKFLOW};

#[test]
fn service_levels_are_found_by_application_state_and_day() {
    let server = kinds::server();
    let link = format!("href=\"/oozie/console/job/{WORKFLOW}\"");
    let page = server.get("/console/sla").body;
    for part in [
        link.as_str(),
        "started late",
        "IN_PROCESS",
        "2026-11-25 09:50:05 UTC",
        "1 to 1 of 1",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("hunter22"), "{page}");
    for (query, is_found) in [
        ("app=load", true),
        ("app=loa", false),
        ("app=load&state=IN_PROCESS", true),
        ("state=MISS", false),
        ("first=2026-11-25&last=2026-11-25", true),
        ("first=2026-11-26", false),
        ("last=2026-11-24", false),
        ("from=1", false),
        ("app=a%3Bsla_status%3DMET", false),
    ] {
        let page = server.get(&format!("/console/sla?{query}"));
        assert_eq!(page.status, 200, "{query}");
        assert_eq!(
            page.body.contains(&link),
            is_found,
            "{query}: {}",
            page.body
        );
    }
    // A state tells its number, whichever is chosen.
    let missed = server.get("/console/sla?state=MISS").body;
    assert!(missed.contains("No service level fits") && missed.contains("state=IN_PROCESS"));
    assert_eq!(server.get("/console/sla?first=today").status, 400);
}

#[test]
fn a_bundle_says_what_its_coordinators_do() {
    let server = kinds::server();
    let member = |name: &str, job: Option<&str>| json!({ "name": name, "app_path": name, "configuration": {}, "job": job, "status": "RUNNING" });
    let submitted = json!({
        "clock": { "scale": null }, "is_suspended": false, "error": null,
        "coordinators": [member("nightly", Some(COORDINATOR)), member("<weekly>", None)],
    });
    let store = server.session.store().unwrap();
    let change = "UPDATE bundles SET state = ?1 WHERE job_id = ?2";
    store
        .execute(change, [&submitted.to_string(), BUNDLE])
        .unwrap();
    let page = server.get(&format!("/console/job/{BUNDLE}")).body;
    assert!(
        page.contains("&lt;weekly&gt;") && page.contains("NOT SUBMITTED"),
        "{page}"
    );
    for part in [
        format!("href=\"/oozie/console/job/{COORDINATOR}\""),
        "Kick-off".to_owned(),
        "Every".to_owned(),
        "every hour".to_owned(),
        format!("href=\"/oozie/console/job/{COORDINATOR}?state="),
        format!("/oozie/console/job/{BUNDLE}/command/rerun?coordinator=nightly"),
        format!("/oozie/console/job/{BUNDLE}/command/suspend"),
    ] {
        assert!(page.contains(&part), "{part}: {page}");
    }
}
