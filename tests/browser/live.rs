//! What changes on an open page by itself: nodes, output, two readers at once, a server that is gone for a while.

use std::{fs::OpenOptions, io::Write, time::Duration};

use hpdlc_core::status::{ActionStatus, JobStatus};
use hpdlc_store::JobRow;
use hpdlc_tests::chrome::{Browser, ESCAPE, browser};

use crate::{
    served::Server,
    state::{Program, State, job, node},
};

/// No page is timed here; a change that takes so long did not come by itself.
const SOON: Duration = Duration::from_secs(5);

/// A job that runs its first node.
fn running(state: &State) -> JobRow {
    let program = Program {
        nodes: vec![("load", "shell"), ("check", "shell"), ("end", "end")],
        document: "<workflow-app/>",
        ..Program::default()
    };
    state.keep("feed", "load", &program);
    let row = JobRow {
        hash: "feed".to_owned(),
        ..job(state, 'W', "load", JobStatus::Running)
    };
    let nodes = [
        node(&row, ":start:", ":START:", ActionStatus::Ok),
        node(&row, "load", "shell", ActionStatus::Running),
    ];
    state.workflow(row.clone(), &nodes);
    state.output(&row.id, "load", "out", "line one\n");
    row
}

/// A mark that a page loses when it is loaded again.
fn mark(browser: &Browser) {
    browser.js("window.marked = true");
}

#[track_caller]
fn wait_in_place(browser: &Browser, what: &str, condition: &str) -> Duration {
    let took = browser.wait_for(what, condition);
    assert_eq!(
        browser.js("return window.marked"),
        true,
        "{what}: it was loaded again"
    );
    took
}

fn state_of(name: &str) -> String {
    format!("document.getElementById('node-{name}')?.querySelector('.mark')?.textContent.trim()")
}

/// A row of the table, and its box in the graph.
fn has_reached(name: &str, state: &str, look: &str) -> String {
    format!(
        "return {} === '{state}' && Boolean(document.querySelector('.graph a[data-node=\"{name}\"] .s-{look}'))",
        state_of(name)
    )
}

#[test]
fn a_node_changes_on_the_open_page() {
    let Some(browser) = browser() else { return };
    let state = State::new();
    let row = running(&state);
    let server = Server::start(state.home());
    browser.open(&server.page(&format!("/console/job/{}", row.id)));
    mark(&browser);
    wait_in_place(
        &browser,
        "the first state",
        &has_reached("load", "RUNNING", "running"),
    );
    let steps = [
        ("load", ActionStatus::Ok, "good"),
        ("check", ActionStatus::Running, "running"),
        ("check", ActionStatus::Error, "bad"),
    ];
    for (name, status, look) in steps {
        let mut reached = node(&row, name, "shell", status);
        reached.error_message =
            (status == ActionStatus::Error).then(|| "disk <b>full</b>".to_owned());
        state.reach(reached);
        let what = format!("{name} to be {}", status.name());
        let took = wait_in_place(&browser, &what, &has_reached(name, status.name(), look));
        println!("{what}: on the page {} ms after its row", took.as_millis());
        assert!(took < SOON, "{what}: {took:?}");
    }
    assert_eq!(browser.text("#node-check + .more"), "disk <b>full</b>");
    let logged = browser.logged();
    assert!(logged.is_empty(), "{logged:?}");
}

#[test]
fn output_comes_to_the_open_page() {
    let Some(browser) = browser() else { return };
    let state = State::new();
    let row = running(&state);
    let server = Server::start(state.home());
    browser.open(&server.page(&format!("/console/job/{}/node/load", row.id)));
    mark(&browser);
    let shows = |text: &str| {
        format!(
            "return document.querySelector('[data-tail*=\"stream=out\"]').textContent.includes({text:?})"
        )
    };
    browser.wait_for("the first line", &shows("line one"));
    let attempt = state.home().join("work").join(&row.id).join("load/1.out");
    let mut file = OpenOptions::new()
        .append(true)
        .open(attempt)
        .expect("a file");
    file.write_all(b"line two <b>bold</b>\n").expect("a line");
    let took = wait_in_place(&browser, "the next line", &shows("line two <b>bold</b>"));
    println!(
        "a line: on the page {} ms after it was printed",
        took.as_millis()
    );
    assert!(took < SOON, "{took:?}");
}

#[test]
fn two_readers_see_the_same_and_an_overview_hears_of_it() {
    let Some(browser) = browser() else { return };
    let state = State::new();
    let row = running(&state);
    let server = Server::start(state.home());
    let page = server.page(&format!("/console/job/{}", row.id));
    let tabs = [&page, &page, &server.page("/")].map(|address| {
        let tab = browser.new_tab();
        browser.open(address);
        mark(&browser);
        tab
    });
    state.reach(node(&row, "load", "shell", ActionStatus::Ok));
    for tab in &tabs[..2] {
        browser.switch(tab);
        wait_in_place(
            &browser,
            "the node to be OK",
            &has_reached("load", "OK", "good"),
        );
    }
    browser.switch(&tabs[2]);
    let failed = JobRow {
        app: "other".to_owned(),
        ..job(&state, 'W', "other", JobStatus::Killed)
    };
    state.workflow(failed, &[]);
    let names_it =
        "return document.querySelector('.items')?.textContent.includes('other') === true";
    wait_in_place(&browser, "the job that failed on the overview", names_it);
}

#[test]
fn a_page_says_that_the_server_is_gone_and_goes_on_when_it_is_back() {
    let Some(browser) = browser() else { return };
    let state = State::new();
    let row = running(&state);
    let mut server = Server::start(state.home());
    browser.open(&server.page(&format!("/console/job/{}", row.id)));
    mark(&browser);
    let is_gone = "return !document.getElementById('gone').hidden";
    assert_eq!(browser.js(is_gone), false);
    server.kill();
    wait_in_place(&browser, "the notice", is_gone);
    assert!(browser.text("#gone").contains("The server does not answer"));
    // What happens meanwhile is on the page when the server is back.
    state.reach(node(&row, "load", "shell", ActionStatus::Ok));
    server.start_again();
    wait_in_place(
        &browser,
        "the notice to go",
        "return document.getElementById('gone').hidden",
    );
    wait_in_place(
        &browser,
        "the node to be OK",
        &has_reached("load", "OK", "good"),
    );
    state.reach(node(&row, "check", "shell", ActionStatus::Running));
    wait_in_place(
        &browser,
        "the next node",
        &has_reached("check", "RUNNING", "running"),
    );
}

/// A browser has six connections to a host, for all of its pages; one of a node that runs could take three.
#[test]
fn many_open_pages_of_nodes_that_run_do_not_keep_the_next_from_loading() {
    let Some(browser) = browser() else { return };
    let state = State::new();
    let row = running(&state);
    let server = Server::start(state.home());
    let of_node = server.page(&format!("/console/job/{}/node/load", row.id));
    for _ in 0..6 {
        browser.new_tab();
        browser.open(&of_node);
        browser.wait_for(
            "the page",
            "return document.querySelector('[data-tail]') !== null",
        );
    }
    // A panel that was closed listens no longer.
    browser.open(&server.page(&format!("/console/job/{}", row.id)));
    for _ in 0..6 {
        browser.click("#nodes a.row-link[data-node=load]");
        browser.wait_for(
            "the panel",
            "return !document.getElementById('panel').hidden",
        );
        browser.press(&ESCAPE.to_string());
        browser.wait_for(
            "the panel to close",
            "return document.getElementById('panel').hidden",
        );
    }
    mark(&browser);
    state.reach(node(&row, "load", "shell", ActionStatus::Ok));
    wait_in_place(
        &browser,
        "the node to be OK",
        &has_reached("load", "OK", "good"),
    );
}

#[test]
fn output_goes_on_where_it_was_when_the_server_is_back() {
    let Some(browser) = browser() else { return };
    let state = State::new();
    let row = running(&state);
    let mut server = Server::start(state.home());
    browser.open(&server.page(&format!("/console/job/{}/node/load", row.id)));
    let attempt = state.home().join("work").join(&row.id).join("load/1.out");
    let mut file = OpenOptions::new()
        .append(true)
        .open(attempt)
        .expect("a file");
    for line in ["line two", "line three"] {
        writeln!(file, "{line}").expect("a line");
        let shows =
            format!("return document.querySelector('[data-tail]').textContent.includes({line:?})");
        browser.wait_for(line, &shows);
        server.kill();
        server.start_again();
    }
    writeln!(file, "line four").expect("a line");
    browser.wait_for(
        "line four",
        "return document.querySelector('[data-tail]').textContent.includes('line four')",
    );
    assert_eq!(
        browser.js("return document.querySelector('[data-tail]').textContent"),
        "line one\nline two\nline three\nline four\n"
    );
}
