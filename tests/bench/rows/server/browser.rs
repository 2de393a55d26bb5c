//! The console in Chromium: how long until something is seen, and until a change is.

use std::{
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

use hpdlc_tests::chrome::{Browser, browser};
use serde_json::{Value, json};

use super::{Server, ends, fill, load::Connection};
use crate::{
    measure::{self, BudgetRow},
    rows::Bench,
    workload,
};

const BUDGET: Duration = Duration::from_millis(200);
/// The last nodes of the job, each of which sleeps while the page is open.
const N_CHANGES: usize = 10;
const PATIENCE: Duration = Duration::from_secs(60);

/// From the request to the first paint, in milliseconds.
const PAINTED: &str = r"
const done = arguments[arguments.length - 1];
const read = () => {
  const painted = performance.getEntriesByName('first-contentful-paint')[0];
  if (!painted) { setTimeout(read, 5); return; }
  done(painted.startTime - performance.getEntriesByType('navigation')[0].requestStart);
};
read();";

/// Notes when each row of the nodes first says OK.
const NOTE: &str = r"
window.seen = {};
const note = () => {
  for (const name of arguments[0]) {
    const mark = document.querySelector(`[id='node-${name}'] .mark`);
    if (mark && mark.textContent.includes('OK')) window.seen[name] ??= Date.now();
  }
};
note();
new MutationObserver(note).observe(document.body, { childList: true, characterData: true, subtree: true });";

pub fn rows(bench: &Bench) -> Vec<BudgetRow> {
    let Some(browser) = browser() else {
        return vec![BudgetRow::skipped(
            "console, first paint".to_owned(),
            "no Chromium",
        )];
    };
    let mut rows = Vec::new();
    let home = bench.folder.join("home-of-overview");
    fill::fill(&home, 10_000);
    let server = Server::start(bench, &home);
    let overview = format!("http://{}/oozie/", server.address);
    rows.push(first_paint(
        bench,
        &browser,
        "overview, 10,000 jobs",
        &overview,
    ));
    drop(server);
    rows.extend(job(bench, &browser));
    rows
}

/// The median, by a browser that has nothing of the page yet.
fn first_paint(bench: &Bench, browser: &Browser, name: &str, address: &str) -> BudgetRow {
    browser.open(address);
    let times = (0..bench.times(11)).map(|_| {
        browser.tools("Network.clearBrowserCache", json!({}));
        browser.open(address);
        let painted = browser.js_later(PAINTED, Vec::new());
        Duration::from_secs_f64(painted.as_f64().unwrap_or_default() / 1000.0)
    });
    let time = measure::median(times.collect());
    row(format!("console, first paint, {name}"), time)
}

fn row(name: String, time: Duration) -> BudgetRow {
    BudgetRow::absolute(
        name,
        measure::format_time(time),
        measure::format_time(BUDGET),
        Some(time <= BUDGET),
    )
}

/// A job of 1,000 nodes: its page, and how soon after a node has ended its row on the open page says so.
fn job(bench: &Bench, browser: &Browser) -> Vec<BudgetRow> {
    let n_quick = 1_000 - N_CHANGES;
    let xml = workload::chain_that_slows(n_quick, N_CHANGES);
    let program = bench.program("watched", &xml);
    let home = bench.folder.join("home-of-watched");
    let mut running = bench.run(&program);
    running
        .env("HPDL_HOME", &home)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut running = running.spawn().expect("an executable that was just built");
    let server = Server::start(bench, &home);
    let mut connection = Connection::open(&server.address);
    let mut ask = |path: &str| -> Value {
        let answer = connection.ask("GET", &format!("/oozie/v2/{path}"), "");
        serde_json::from_str(&answer.body).unwrap_or_default()
    };
    let begun = Instant::now();
    let until = |what: &str, is_so: &mut dyn FnMut() -> bool| {
        while !is_so() {
            assert!(begun.elapsed() < PATIENCE, "{what}");
            thread::sleep(Duration::from_millis(20));
        }
    };
    let mut id = String::new();
    until("the job begins", &mut || {
        let jobs = ask("jobs");
        jobs["workflows"][0]["id"]
            .as_str()
            .unwrap_or_default()
            .clone_into(&mut id);
        !id.is_empty()
    });
    until("its slow nodes begin", &mut || {
        let node = ask(&format!("job/{id}@step-{n_quick}?show=info"));
        node["status"].as_str() == Some("RUNNING")
    });
    let page = format!("http://{}/oozie/console/job/{id}", server.address);
    let names: Vec<String> = (n_quick + 2..1_000)
        .map(|it| format!("step-{it}"))
        .collect();
    browser.open(&page);
    browser.js_of(NOTE, vec![json!(names)]);
    running.wait().expect("our own child");
    let last = json!(names.last());
    until("the page hears of the last node", &mut || {
        browser.js_of("return arguments[0] in window.seen", vec![last.clone()]) == true
    });
    let seen = browser.js("return window.seen");
    let (mut times, events) = (Vec::new(), ends(&home, &id));
    for name in &names {
        let shown = seen[name].as_i64().unwrap_or_default();
        let ended = events.get(name).copied().unwrap_or_default();
        times.push(Duration::from_millis(
            u64::try_from(shown - ended).unwrap_or_default(),
        ));
    }
    vec![
        first_paint(bench, browser, "job of 1,000 nodes", &page),
        row(
            "console, from a node's end to the open page".to_owned(),
            measure::median(times),
        ),
    ]
}
