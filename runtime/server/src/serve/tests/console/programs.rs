//! Executables that do not answer: they are ended, and the page says so.

use std::{collections::BTreeMap, time::Instant};

use hpdlc_core::status::JobStatus;
use hpdlc_store::{JobRow, query};

use super::store::keep_script;
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
