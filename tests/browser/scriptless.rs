//! The console where pages may not run scripts: it is read, filtered, and gives commands.

use hpdlc_tests::chrome::browser_without_script;

use crate::{every::Jobs, served::Server};

#[test]
fn pages_are_whole_and_forms_work_without_script() {
    let Some(browser) = browser_without_script() else {
        return;
    };
    let jobs = Jobs::new();
    let server = Server::start(jobs.state.home());
    for page in jobs.pages().iter().filter(|page| !page.is_further) {
        browser.open(&server.page(&page.path));
        let name = &page.name;
        assert!(!browser.has("html.script"), "{name}: a script has run");
        let heading = browser.text("h1");
        let is_unseen = browser.has("h1.unseen");
        assert!(
            !heading.trim().is_empty() || is_unseen,
            "{name}: no heading"
        );
        assert!(browser.text("body").len() > 40, "{name}: nothing to read");
        assert!(
            page.name == "report" || browser.has("footer"),
            "{name}: it is cut"
        );
    }

    browser.open(&server.page("/console/jobs"));
    let rows = || browser.n_of("tbody tr");
    let n_all = rows();
    browser.fill("main input[name=q]", "nightly");
    browser.follow("main form button");
    assert!(
        browser.address().contains("q=nightly"),
        "{}",
        browser.address()
    );
    assert!(rows() > 0 && rows() < n_all, "{} of {n_all}", rows());

    browser.fill("#find", "hourly");
    browser.submit("#find");
    assert!(
        browser.address().contains("q=hourly"),
        "{}",
        browser.address()
    );

    browser.open(&server.page("/"));
    browser.fill("main input[name=app]", "nightly");
    browser.follow("main form button");
    assert!(browser.text("table.grid").contains("nightly-load"));

    browser.open(&server.page(&format!("/console/job/{}", jobs.failed)));
    browser.follow("#nodes a.row-link[data-node=load]");
    assert!(
        browser.address().ends_with("/node/load"),
        "{}",
        browser.address()
    );
    assert!(browser.text("main").contains("disk full"));

    // A command with a choice: its plan is that of the choice, and it is given by the form below.
    browser.open(&server.page(&format!("/console/job/{}/command/rerun", jobs.failed)));
    browser.follow("form.choices button");
    assert!(browser.text("main").contains("Plan"));
}

/// Its executable cannot do it: the page says so, and shows the plan again.
#[test]
fn a_command_that_is_not_carried_out_says_why() {
    let Some(browser) = browser_without_script() else {
        return;
    };
    let jobs = Jobs::new();
    let server = Server::start(jobs.state.home());
    browser.open(&server.page(&format!("/console/job/{}/command/kill", jobs.prep)));
    browser.follow("form.do button");
    let told = browser.text(".told.bad");
    assert!(told.contains("Not carried out"), "{told}");
    assert!(browser.has("form.do button"));
}
