//! Many jobs, and a job with many nodes: pages are small, come at once, and hear of changes.

use hpdlc_core::status::{ActionStatus, JobStatus};
use hpdlc_store::{ActionRow, JobRow, writer::Batch};
use hpdlc_tests::chrome::{Browser, browser};
use serde_json::Value;

use crate::{
    served::Server,
    state::{Program, State, job, node},
};

const N_JOBS: usize = 10_000;
const N_NODES: usize = 1_000;
const N_APPS: usize = 40;
/// All bytes of a page over the wire, with its style and its script.
const MOST_BYTES: u64 = 150_000;

/// From the request to the first paint, and all that was loaded.
const FIGURES: &str = r"
const done = arguments[arguments.length - 1];
const read = () => {
  const painted = performance.getEntriesByName('first-contentful-paint')[0];
  if (!painted) { setTimeout(read, 10); return; }
  const [page] = performance.getEntriesByType('navigation');
  const bytes = [page, ...performance.getEntriesByType('resource')].reduce((sum, it) => sum + it.transferSize, 0);
  done({ answered: page.responseEnd - page.requestStart, painted: painted.startTime - page.requestStart,
    drawn: painted.startTime - page.responseStart, bytes });
};
read();";

/// Opens a page as a browser does that has nothing of it yet, prints how long it took, and expects that it is small.
fn look(browser: &Browser, server: &Server, path: &str, name: &str) {
    let address = server.page(path);
    // The server is warm, the browser knows nothing.
    browser.open(&address);
    browser.tools(
        "Network.clearBrowserCache",
        Value::Object(serde_json::Map::new()),
    );
    browser.open(&address);
    let figures = browser.js_later(FIGURES, Vec::new());
    let of = |name: &str| figures[name].as_f64().unwrap_or_default();
    println!(
        "{name}: answered after {:.0} ms, first paint after {:.0} ms, {:.0} ms after its first byte, {:.0} kB",
        of("answered"),
        of("painted"),
        of("drawn"),
        of("bytes") / 1000.0
    );
    let bytes = figures["bytes"].as_u64().unwrap_or_default();
    assert!((1..=MOST_BYTES).contains(&bytes), "{name}: {bytes} bytes");
}

/// Jobs of some applications, of which one in ten failed.
fn fill(state: &State) {
    let mut batch = Batch::default();
    for number in 0..N_JOBS {
        let status = match number % 10 {
            7 if number % 100 == 7 => JobStatus::Failed,
            7 => JobStatus::Killed,
            _ => JobStatus::Succeeded,
        };
        let mut row = job(state, 'W', &format!("app-{}", number % N_APPS), status);
        let ago = i64::try_from(N_JOBS - number).expect("few") * 60_000;
        row.created -= ago;
        row.started = row.started.map(|it| it - ago);
        row.ended = row.ended.map(|it| it - ago);
        row.error_message = (status != JobStatus::Succeeded).then(|| "it failed".to_owned());
        batch
            .actions
            .push(node(&row, "load", "shell", ActionStatus::Ok));
        batch.jobs.push(row);
    }
    state.commit(&batch);
}

#[test]
fn ten_thousand_jobs_are_listed_and_filtered() {
    let Some(browser) = browser() else { return };
    let state = State::new();
    fill(&state);
    let server = Server::start(state.home());
    look(&browser, &server, "/", "the overview of 10,000 jobs");
    assert_eq!(
        browser.js("return document.querySelectorAll('table.grid tbody tr').length > 10"),
        true
    );
    browser.js("window.marked = true");
    let failed = job(&state, 'W', "the-last", JobStatus::Failed);
    state.workflow(failed, &[]);
    browser.wait_for(
        "the job that failed on the open overview",
        "return window.marked && document.querySelector('.items').textContent.includes('the-last')",
    );
    look(
        &browser,
        &server,
        "/console/jobs",
        "the list of 10,000 jobs",
    );
    let pages = browser.text(".pages");
    // One more than it looks at, which it says.
    assert!(pages.contains("among the newest 10000"), "{pages}");
    browser.follow(".pages a[rel=next]");
    browser.wait_for(
        "the next page",
        "return location.search !== '' && document.readyState === 'complete'",
    );
    look(
        &browser,
        &server,
        "/console/jobs?q=app-7&status=KILLED",
        "a filtered list",
    );
    assert!(browser.n_of("tbody tr") > 10);
}

#[test]
fn a_job_of_a_thousand_nodes_is_shown_and_changes() {
    let Some(browser) = browser() else { return };
    let state = State::new();
    let names: Vec<String> = (0..N_NODES)
        .map(|number| format!("node-{number}"))
        .collect();
    let nodes = names.iter().map(|name| (name.as_str(), "shell"));
    let program = Program {
        nodes: nodes.collect(),
        document: "<workflow-app/>",
        ..Program::default()
    };
    state.keep("feed", "large", &program);
    let row = JobRow {
        hash: "feed".to_owned(),
        ..job(&state, 'W', "large", JobStatus::Running)
    };
    let rows: Vec<ActionRow> = names
        .iter()
        .map(|name| node(&row, name, "shell", ActionStatus::Ok))
        .collect();
    let running = node(&row, "node-999", "shell", ActionStatus::Running);
    let last = rows.len() - 1;
    let rows = [&rows[..last], &[running]].concat();
    state.workflow(row.clone(), &rows);
    let server = Server::start(state.home());
    let path = format!("/console/job/{}", row.id);
    look(&browser, &server, &path, "a job of 1,000 nodes");
    for part in ["timeline", "events"] {
        look(&browser, &server, &format!("{path}/{part}"), part);
    }
    browser.open(&server.page(&path));
    browser.js("window.marked = true");
    state.reach(node(&row, "node-999", "shell", ActionStatus::Error));
    let took = browser.wait_for(
        "the last node to fail",
        "return window.marked && document.querySelector('[id=\"node-node-999\"] .mark').textContent.includes('ERROR')",
    );
    println!(
        "a node of 1,000: on the page {} ms after its row",
        took.as_millis()
    );
}
