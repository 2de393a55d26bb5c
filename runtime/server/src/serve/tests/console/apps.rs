//! Applications: what their pages say, dry runs and new jobs by a form, and their life cycle.

use std::collections::BTreeMap;

use hpdlc_store::{
    applications::{self, Transition},
    audit, query,
    tokens::{self, Role},
};

use super::{
    form, header, proof,
    store::{WORKED, with_failure},
};
use crate::{
    serve::{
        policy::Mode,
        tests::{Answer, TestServer},
    },
    token,
};

const PATH: &str = "/oozie/console/app/nightly-load";

fn sent(server: &TestServer, fields: &str) -> Answer {
    let page = server.send("GET", PATH, &[], "").body;
    form(
        server,
        PATH,
        &format!("proof={}&{fields}", proof(&page)),
        &[],
    )
}

#[test]
fn an_application_says_what_it_reads_and_which_version_had_which_jobs() {
    let server = with_failure();
    let list = server.get("/console/apps").body;
    for part in [
        "href=\"/oozie/console/app/nightly-load\"",
        "REGISTERED",
        "2 jobs of nightly-load",
    ] {
        assert!(list.contains(part), "{part}: {list}");
    }
    assert!(
        !server
            .get("/console/apps?q=daily")
            .body
            .contains("nightly-load")
    );
    let page = server.get("/console/app/nightly-load").body;
    for part in [
        "name=\"p.day\"",
        "The day &amp; night",
        "workflow.xml:3",
        "type=\"password\" name=\"p.dbPassword\"",
        "feed1",
        "feed2",
        "load failed",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("hunter22"), "{page}");
    // A job leads to the version that it was started with.
    let job = server.get(&format!("/console/job/{WORKED}")).body;
    assert!(
        job.contains("href=\"/oozie/console/app/nightly-load?version=feed1\""),
        "{job}"
    );
    // The API tells the same.
    let answer = server.send("GET", "/hws/v1/applications/nightly-load", &[], "");
    let told = answer.json();
    assert_eq!(told["versions"].as_array().map(Vec::len), Some(2));
    assert_eq!(told["versions"][0]["jobs"], 1);
    assert_eq!(told["parameters"][0]["uses"][0]["line"], 3);
    assert_eq!(told["parameters"][1]["default"], "********");
}

#[test]
fn a_form_is_tried_first_and_then_leads_to_its_job() {
    let server = with_failure();
    // What is missing stands beside its field, and nothing can be started yet.
    let missing = sent(&server, "do=dryrun&p.day=&p.dbPassword=hunter33").body;
    assert!(
        missing.contains("aria-invalid=\"true\" aria-describedby=\"parameter-0-error\""),
        "{missing}"
    );
    assert!(missing.contains("property day is not given") && !missing.contains("value=\"start\""));
    assert!(!missing.contains("hunter33"), "{missing}");
    let tried = sent(&server, "do=dryrun&p.day=2026-11-28").body;
    for part in [
        "value=\"2026-11-28\"",
        "value=\"start\"",
        "hpdl run nightly-load -D day=2026-11-28",
        "nothing wrong",
    ] {
        assert!(tried.contains(part), "{part}: {tried}");
    }
    let store = server.session.store().unwrap();
    assert!(
        audit::last(&store, 9).unwrap().is_empty(),
        "a dry run does nothing"
    );
    let refused = sent(&server, "do=submit&p.day=");
    assert!(refused.body.contains("Not carried out"), "{}", refused.body);
    assert!(
        refused.body.contains("parameter-0-error"),
        "{}",
        refused.body
    );
    let done = sent(&server, "do=submit&p.day=2026-11-28");
    assert_eq!(done.status, 303, "{}", done.body);
    let job = header(&done, "location");
    assert!(
        job.starts_with(&format!("/oozie/console/job/{WORKED}?after=")),
        "{job}"
    );
    assert!(
        server
            .send("GET", &job, &[], "")
            .body
            .contains("<b>submit</b> was carried out")
    );
    let rows = audit::last(&store, 9).unwrap();
    let rows: Vec<_> = rows
        .iter()
        .map(|row| {
            (
                row.operation.as_str(),
                row.status,
                row.job_id.as_deref(),
                row.app.as_deref(),
            )
        })
        .collect();
    let app = Some("nightly-load");
    let expected = [
        ("submit", Some(400), None, app),
        ("submit", Some(200), Some(WORKED), app),
    ];
    assert_eq!(rows, expected);
    for fields in ["do=purge", "do=", "p.day=1"] {
        assert_eq!(sent(&server, fields).status, 400, "{fields}");
    }
    let more = sent(&server, "do=dryrun&p.day=1&more=nonsense").body;
    assert!(more.contains("further properties are NAME=VALUE"), "{more}");
}

#[test]
fn the_life_cycle_shows_what_a_command_means_before_it_is_given() {
    let server = with_failure();
    let store = server.session.store().unwrap();
    let definition = query::definition(&store, "feed2").unwrap().unwrap();
    applications::deploy(&store, &definition).unwrap();
    let page = server.get("/console/app/nightly-load").body;
    assert!(
        page.contains("INACTIVE") && page.contains("?do=activate"),
        "{page}"
    );
    assert!(page.contains("It accepts no new jobs") && !page.contains("?do=suspend"));
    let plan = server.get("/console/app/nightly-load?do=activate").body;
    assert!(
        plan.contains("New jobs are accepted.") && plan.contains("hpdl apps activate nightly-load")
    );
    let done = sent(&server, "do=activate");
    assert_eq!(done.status, 303, "{}", done.body);
    let page = server.send("GET", &header(&done, "location"), &[], "").body;
    assert!(
        page.contains("<b>activate nightly-load</b> was carried out"),
        "{page}"
    );
    let refused = sent(&server, "do=undeploy").body;
    assert!(
        refused.contains("type first: hpdl apps suspend"),
        "{refused}"
    );
    let now = applications::named(&store, "nightly-load")
        .unwrap()
        .unwrap();
    assert_eq!(now.status.name(), "ACTIVE");
    assert!(!Transition::Undeploy.from().contains(&now.status));
}

#[test]
fn a_token_for_reading_starts_nothing_and_one_for_operating_changes_no_application() {
    let server = with_failure();
    let store = server.session.store().unwrap();
    let definition = query::definition(&store, "feed2").unwrap().unwrap();
    applications::deploy(&store, &definition).unwrap();
    let server = server.with_other_mode(Mode::Token);
    for (role, fields, status) in [
        (Role::Read, "do=dryrun&p.day=1", 403),
        (Role::Read, "do=submit&p.day=1", 403),
        (Role::Operate, "do=submit&p.day=1", 303),
        (Role::Operate, "do=activate", 200),
        (Role::Admin, "do=activate", 303),
    ] {
        let (row, token) = token::make("test", "ada", role, None).unwrap();
        tokens::insert(&store, &row).unwrap();
        let bearer = format!("Bearer {token}");
        let headers = [("Authorization", bearer.as_str())];
        let all: Vec<_> = headers.map(|(n, v)| (n.to_owned(), v.to_owned())).into();
        let page = server.send("GET", PATH, &all, "").body;
        let body = format!("proof={}&{fields}", proof(&page));
        let answer = form(&server, PATH, &body, &headers);
        assert_eq!(answer.status, status, "{role} {fields}: {}", answer.body);
        let wrong = form(&server, PATH, fields, &headers);
        assert_eq!(wrong.status, 403, "without a proof");
    }
    let last = audit::last(&store, 2).unwrap();
    assert_eq!(last[0].code.as_deref(), Some("E0503"), "{last:?}");
    let state: BTreeMap<_, _> = applications::list(&store)
        .unwrap()
        .into_iter()
        .map(|row| (row.name, row.status.name()))
        .collect();
    assert_eq!(state["nightly-load"], "ACTIVE");
}
