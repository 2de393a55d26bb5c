//! A real workflow, compiled and run, that is commanded from its page: each command shows its plan first, and then what became of it.

use hpdlc_tests::chrome::{Browser, browser};

use crate::{
    harness::{World, step},
    served::Server,
};

/// Opens the plan of a command of the job that is on the page, and gives the command.
#[track_caller]
fn command(browser: &Browser, title: &str, plan: &[&str]) {
    let link = format!(".commands a[href$='/command/{}']", title.to_lowercase());
    browser.wait_for(
        &format!("{title} to be offered"),
        &format!("return document.querySelector({link:?}) !== null"),
    );
    browser.follow(&link);
    let shown = browser.text("main");
    for part in plan {
        assert!(shown.contains(part), "{title}: {shown}");
    }
    browser.follow("form.do button");
    let told = browser.text(".told");
    assert!(told.contains("was carried out"), "{title}: {told}");
}

#[track_caller]
fn wait_for_state(browser: &Browser, state: &str) {
    browser.wait_for(
        &format!("the job to be {state}"),
        &format!("return document.querySelector('#head .mark').textContent.includes('{state}')"),
    );
}

#[track_caller]
fn wait_for_node(browser: &Browser, node: &str, state: &str) {
    browser.wait_for(
        &format!("{node} to be {state}"),
        &format!("return document.querySelector('#node-{node} .mark')?.textContent.includes('{state}') === true"),
    );
}

#[test]
fn a_job_is_commanded_from_its_page_while_it_runs() {
    let Some(browser) = browser() else { return };
    let world = World::of_nodes(&[step("a", "gated", "b"), step("b", "gated", "end")].concat());
    let server = Server::start(world.home());
    let mut running = world.start(&[]);
    world.await_running("a");
    let id = world.job().expect("a job");
    browser.open(&server.page(&format!("/console/job/{id}")));
    wait_for_state(&browser, "RUNNING");
    wait_for_node(&browser, "a", "RUNNING");
    assert!(
        browser.has(".graph a[data-node=b]"),
        "the graph is that of its executable"
    );

    command(&browser, "Suspend", &[&format!("hpdl suspend {id}")]);
    wait_for_state(&browser, "SUSPENDED");
    world.open_gate("a");
    command(&browser, "Resume", &[&format!("hpdl resume {id}")]);
    wait_for_state(&browser, "RUNNING");
    // Without that anybody loads the page again.
    browser.js("window.marked = true");
    world.await_running("b");
    wait_for_node(&browser, "a", "OK");
    wait_for_node(&browser, "b", "RUNNING");
    assert_eq!(browser.js("return window.marked"), true);

    command(&browser, "Kill", &["b", &format!("hpdl kill {id}")]);
    wait_for_state(&browser, "KILLED");
    // It has ended, one way or the other.
    drop(running.wait());
    world.afresh_out();
    command(&browser, "Rerun", &["b", &format!("hpdl rerun {id}")]);
    wait_for_state(&browser, "RUNNING");
    world.await_running("b");
    world.open_gate("b");
    wait_for_state(&browser, "SUCCEEDED");
    wait_for_node(&browser, "b", "OK");
    assert_eq!(world.effects(), ["b"], "what had succeeded was skipped");
}
