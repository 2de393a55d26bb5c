//! Texts of others that try to be script, style, links or commands of a terminal, in every place that a job has for them: nothing of them
//! runs, nothing is asked of another host, and what cannot be seen is written out.

use std::{fs::OpenOptions, io::Write};

use hpdlc_core::{
    coordinator::{CoordinatorActionStatus, CoordinatorStatus},
    status::{ActionStatus, JobStatus},
};
use hpdlc_store::{ActionRow, JobRow};
use hpdlc_tests::chrome::{Browser, browser};
use serde_json::json;

use crate::{
    served::Server,
    state::{Program, State, job, node},
};

const HOSTILE: [&str; 11] = [
    "<script>window.hacked=1</script>",
    "\"><img src=http://127.0.0.1:9/x onerror=window.hacked=1>",
    "' onmouseover='window.hacked=1' autofocus onfocus='window.hacked=1",
    "</pre></title></textarea><style>*{display:none}</style><h1>no</h1>",
    "javascript:window.hacked=1",
    "</svg><svg onload=window.hacked=1><a xlink:href='javascript:window.hacked=1'>x</a></svg>",
    "{{title}} {{{body_html}}} ${window.hacked=1}",
    "\u{1b}]8;;http://evil.example/\u{7}link\u{1b}]8;;\u{7}\u{1b}[2J\u{1b}[31m\u{9b}2J",
    "\u{202e}gnp.exe\u{2066}\u{200b}\u{feff}",
    "]]><!--<iframe srcdoc='<script>parent.hacked=1</script>'>",
    "&lt;script&gt; &#60;b&#62; %3Cscript%3E \\u003cscript\\u003e",
];

/// What must not be on a page, a line each.
const FAULTS: &str = r"
const faults = [];
if (window.hacked !== undefined) faults.push('a script of a job has run');
const all = (selector) => [...document.querySelectorAll(selector)];
for (const it of all('img,iframe,object,embed,base,meta[http-equiv],main style,main script')) faults.push(it.outerHTML.slice(0, 200));
for (const it of all('*')) {
  for (const { name, value } of it.attributes) {
    if (name.startsWith('on')) faults.push(`${it.tagName} ${name}=${value.slice(0, 80)}`);
    if (!/href|src|action/.test(name) || it.tagName === 'LINK') continue;
    if (/^\s*(javascript|data|vbscript):/i.test(value)) faults.push(`${it.tagName} ${name}=${value.slice(0, 80)}`);
    if (/^(https?:)?\/\//.test(value) && !value.startsWith(location.origin + '/')) faults.push(`${it.tagName} leads away: ${value.slice(0, 80)}`);
  }
}
const text = document.documentElement.textContent + all('[title],[aria-label]').map((it) => it.title + it.ariaLabel).join();
const at = text.search(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
if (at >= 0) faults.push(`a character that cannot be seen: ${JSON.stringify(text.slice(at - 30, at + 30))}`);
if (getComputedStyle(document.querySelector('main')).display === 'none') faults.push('a style of a job is in force');
return faults;";

/// A workflow that has a text wherever it can have one. Returns its id and the name of its node.
fn workflow(state: &State, number: usize, text: &str) -> (String, String) {
    let hash = format!("feed{number}");
    let name = format!("n{number}{}", text.replace('/', "|"));
    let document = format!(
        "<workflow-app name=\"x\">\n  <action name=\"a\">\n{text}\n</action></workflow-app>"
    );
    let program = Program {
        nodes: vec![(&name, text), ("end", "end")],
        document: &document,
        values: vec![[&name, text, text, text]],
        parameters: vec![[text, "string", text, text], ["plain", "string", "", text]],
    };
    state.keep(&hash, text, &program);
    let plain = |status| job(state, 'W', text, status);
    for status in [JobStatus::Succeeded, JobStatus::Killed] {
        let mut row = plain(status);
        row.created -= 1_000_000;
        row.hash.clone_from(&hash);
        let nodes = [node(&row, &name, text, ActionStatus::Ok)];
        state.workflow(row, &nodes);
    }
    let row = JobRow {
        hash,
        user: text.to_owned(),
        app_path: text.to_owned(),
        conf: json!({ text: text, "user.name": text, "path": text }).to_string(),
        error_code: Some(text.to_owned()),
        error_message: Some(text.to_owned()),
        last_error_node: Some(name.clone()),
        key: Some(text.to_owned()),
        ..plain(JobStatus::Killed)
    };
    let hostile = |name: &str, status| ActionRow {
        transition: Some(text.to_owned()),
        external_id: Some(text.to_owned()),
        external_status: Some(text.to_owned()),
        error_code: Some(text.to_owned()),
        error_message: Some(text.to_owned()),
        data: Some(json!({ text: text }).to_string()),
        note: Some(text.to_owned()),
        work: Some(json!({ "Shell": { text: [text] } }).to_string()),
        ..node(&row, name, text, status)
    };
    let nodes = [
        hostile(&name, ActionStatus::Error),
        hostile("b", ActionStatus::StartManual),
    ];
    for stream in ["out", "err"] {
        state.output(&row.id, &name, stream, &format!("{text}\n").repeat(3));
    }
    (state.workflow(row, &nodes), name)
}

/// As a part of a path.
fn part(name: &str) -> String {
    name.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

fn faults(browser: &Browser, server: &Server, path: &str, faults: &mut Vec<String>) {
    let found = browser.js(FAULTS);
    let found = found.as_array().expect("a list").iter();
    faults.extend(found.map(|it| format!("{path}: {it}")));
    let logged = browser.logged().into_iter();
    faults.extend(logged.map(|it| format!("{path}: {} {}", it.level, it.message)));
    let foreign = browser
        .requests()
        .into_iter()
        .filter(|url| !url.starts_with(&server.origin()) && !url.starts_with("data:"));
    faults.extend(foreign.map(|url| format!("{path}: asked for {url}")));
}

#[test]
fn nothing_of_what_jobs_say_runs() {
    let Some(browser) = browser() else { return };
    let state = State::new();
    let mut paths = vec![
        "/".to_owned(),
        "/console/jobs".to_owned(),
        "/console/late".to_owned(),
        "/console/apps".to_owned(),
        "/console/sla".to_owned(),
        "/console/audit".to_owned(),
        "/console/about".to_owned(),
        "/console/doctor".to_owned(),
    ];
    for (number, text) in HOSTILE.iter().enumerate() {
        let (id, name) = workflow(&state, number, text);
        state.late(&id);
        let node = part(&name);
        let own = [
            String::new(),
            "/timeline".to_owned(),
            "/events".to_owned(),
            "/definition".to_owned(),
            "/properties".to_owned(),
            "/compare".to_owned(),
            "/report.html".to_owned(),
            "/command/rerun".to_owned(),
            format!("/command/rerun?nodes=skip&skip={}", part(text)),
            format!("/node/{node}"),
            format!("/output/{node}"),
            format!(
                "/output/{node}?q={}",
                part(&text.chars().take(1).collect::<String>())
            ),
            format!("/node/{}", part(text)),
        ];
        paths.extend(own.map(|it| format!("/console/job/{id}{it}")));
        paths.push(format!("/console/jobs?q={}&app={}", part(text), part(text)));
        paths.push(format!("/?app={}", part(text)));
        paths.push(format!("/console/app/{}", part(text)));
        paths.push(format!("/console/sla?q={0}&app={0}&status={0}", part(text)));
        paths.push(format!("/console/settings?q={}", part(text)));
        paths.push(format!("/console/job/{}", part(text)));
        let row = job(&state, 'C', text, JobStatus::Running);
        let actions = CoordinatorActionStatus::ALL;
        let id = state.coordinator(row, CoordinatorStatus::Running, &actions, None);
        paths.push(format!("/console/job/{id}"));
    }
    let server = Server::start(state.home());
    let mut found = Vec::new();
    for path in paths {
        browser.open(&server.page(&path));
        faults(&browser, &server, &path, &mut found);
    }
    // There are no such jobs and nodes as some of the texts, which the browser logs.
    found.retain(|it| !it.contains("the server responded with a status of 404"));
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// A job whose only node runs.
fn running(state: &State) -> JobRow {
    let row = job(state, 'W', "load", JobStatus::Running);
    state.workflow(
        row.clone(),
        &[node(&row, "load", "shell", ActionStatus::Running)],
    );
    row
}

/// What comes to an open page is as harmless as what was there.
#[test]
fn nothing_of_what_comes_to_an_open_page_runs() {
    let Some(browser) = browser() else { return };
    let state = State::new();
    let row = running(&state);
    state.output(&row.id, "load", "out", "begins\n");
    let server = Server::start(state.home());
    let of_job = server.page(&format!("/console/job/{}", row.id));
    let mut found = Vec::new();

    browser.open(&format!("{of_job}/node/load"));
    let attempt = state.home().join("work").join(&row.id).join("load/1.out");
    let mut file = OpenOptions::new()
        .append(true)
        .open(attempt)
        .expect("a file");
    for text in HOSTILE {
        writeln!(file, "{text}").expect("a line");
    }
    writeln!(file, "the last line").expect("a line");
    browser.wait_for(
        "the lines",
        "return document.querySelector('pre.terminal').textContent.includes('the last line')",
    );
    faults(&browser, &server, "output", &mut found);

    browser.open(&of_job);
    for (number, text) in HOSTILE.iter().enumerate() {
        let name = format!("n{number}");
        state.reach(ActionRow {
            error_message: Some((*text).to_owned()),
            note: Some((*text).to_owned()),
            transition: Some((*text).to_owned()),
            ..node(&row, &name, text, ActionStatus::Error)
        });
        browser.wait_for(
            &name,
            &format!("return document.getElementById('node-{name}') !== null"),
        );
        faults(&browser, &server, text, &mut found);
    }
    // A node opens in a panel of the page, whose markup is that of another page.
    browser.click("#nodes a.row-link[data-node=n0]");
    browser.wait_for(
        "the panel",
        "return !document.getElementById('panel').hidden",
    );
    faults(&browser, &server, "panel", &mut found);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_line_of_ten_megabytes_harms_no_page() {
    let Some(browser) = browser() else { return };
    let state = State::new();
    let row = running(&state);
    let line = "0123456789<b>".repeat(800_000);
    state.output(&row.id, "load", "out", &line);
    state.output(&row.id, "load", "err", "begins\n");
    let server = Server::start(state.home());
    let of_job = server.page(&format!("/console/job/{}", row.id));
    let is_small = "return document.body.textContent.length < 1000000";
    for path in [
        "/node/load",
        "/output/load",
        "/output/load?q=789",
        "",
        "/report.html",
    ] {
        browser.open(&format!("{of_job}{path}"));
        assert_eq!(browser.js(is_small), true, "{path}");
    }
    // It comes to an open page, too.
    browser.open(&format!("{of_job}/node/load"));
    state.output(
        &row.id,
        "load",
        "err",
        &format!("begins\n{line}\nthe last line\n"),
    );
    browser.wait_for(
        "the end of it",
        "return document.querySelector('[data-tail*=\"stream=err\"]').textContent.includes('the last line')",
    );
    assert_eq!(browser.js(is_small), true, "what has come");
}
