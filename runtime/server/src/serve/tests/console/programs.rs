//! What executables answer, and those that do not: they are ended, and the page says so.

use std::{collections::BTreeMap, time::Instant};

use hpdlc_core::status::JobStatus;
use hpdlc_store::{JobRow, query};

use super::store::{WORKED, keep_script, with_failure};
use crate::serve::tests::{TestServer, kinds::WORKFLOW};

#[test]
fn an_executable_that_hangs_is_ended_and_the_page_says_so() {
    let site = [("hpdl.server.program.timeout".to_owned(), "1".to_owned())];
    let server = TestServer::with_site(BTreeMap::from(site));
    // It holds its output open by a child, too.
    keep_script(&server, "feed3", "#!/bin/sh\nsleep 600 &\nsleep 600\n");
    let store = server.session.store().unwrap();
    let job = JobRow {
        app: "sleeper".to_owned(),
        hash: "feed3".to_owned(),
        status: JobStatus::Killed,
        ..JobRow::new(WORKFLOW, 0)
    };
    query::insert_job(&store, &job).unwrap();
    let begun = Instant::now();
    for (part, question) in [
        ("", "graph"),
        ("/definition", "definition"),
        ("/report.html", "graph"),
    ] {
        let page = server.get(&format!("/console/job/{WORKFLOW}{part}"));
        assert_eq!(page.status, 200, "{part}");
        let expected = format!("sleeper did not answer `{question}` within 1 s, and was ended");
        assert!(page.body.contains(&expected), "{part}: {}", page.body);
    }
    // It is not asked again at once.
    let took = begun.elapsed().as_secs();
    assert!(took < 20, "{took} s");
}

#[test]
fn an_action_has_its_element_with_its_values() {
    let server = with_failure();
    let values = r#"{"nodes":[{"name":"load","values":[
        {"path":"argument","template":"${day}","value":"2026-11-27","origin":{"file":"workflow.xml","line":1}},
        {"path":"argument","template":"${dbPassword}","value":"hunter22","origin":{"file":"workflow.xml","line":1}}]}]}"#;
    let document = r#"<workflow-app xmlns="uri:oozie:workflow:1.0"><action name="load"><shell xmlns="uri:oozie:shell-action:1.0"><exec>load.sh</exec><argument>${day}</argument><argument>${dbPassword}</argument></shell><ok to="end"/></action></workflow-app>"#;
    let script = format!(
        "#!/bin/sh\ncase $1 in dryrun) echo '{values}';; definition) echo '{document}';; esac\n"
    );
    keep_script(&server, "feed1", &script);
    let action = server.get(&format!("/v2/job/{WORKED}@load")).json();
    assert_eq!(
        action["conf"],
        "<shell xmlns=\"uri:oozie:shell-action:1.0\">\r\n  <exec>load.sh</exec>\r\n  <argument>2026-11-27</argument>\r\n  \
         <argument>********</argument>\r\n</shell>"
    );
    let whole = server.get(&format!("/v2/job/{WORKED}")).json();
    assert_eq!(whole["actions"][0]["conf"], "");
    // An executable that is gone says nothing of it.
    keep_script(&server, "feed1", "#!/bin/sh\nexit 1\n");
    let action = server.get(&format!("/v2/job/{WORKED}@load")).json();
    assert_eq!(action["conf"], "");
}
