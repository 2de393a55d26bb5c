//! Pages of the console over real stores: what they are made of, what strangers wrote, where their links lead, and who may command.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use axum::{
    body::{Body, HttpBody},
    http::Request,
};
use hpdlc_core::status::{ActionStatus, JobStatus};
use hpdlc_store::{
    ActionRow, JobRow, LogRow, audit, query,
    tokens::{self, Role},
};
use tower::ServiceExt;

mod admin;
mod apps;
mod coordinators;
mod hostile;
mod levels;
mod places;
mod programs;
mod refused;
mod reruns;
mod store;

use self::store::{FAILED, WORKED, with_failure, write};
use super::{
    Answer, TestServer,
    kinds::{self, BUNDLE, COORDINATOR, WORKFLOW},
};
use crate::{serve::policy::Mode, token};

/// Addresses outside of the base, to which only the page about the server leads.
const FOR_PROGRAMS: [&str; 4] = ["/openapi.json", "/metrics", "/healthz", "/readyz"];

fn pages() -> Vec<String> {
    let mut pages: Vec<String> = [
        "/",
        "/console/jobs",
        "/console/jobs?q=load&status=RUNNING&days=3&app=load",
        "/console/late",
        "/console/late?day=2026-11-25",
        "/?app=x&state=bad",
        "/console/sla",
        "/console/sla?app=load&state=MET&first=2026-11-25",
        "/console/about",
        "/console/settings",
        "/console/settings?q=kill&origin=built-in",
        "/console/doctor",
        "/console/audit",
        "/console/audit?user=ada&operation=kill&job=1&result=refused&first=2026-11-25",
        "/console/tokens",
        "/console/apps",
        "/console/apps?q=night&status=REGISTERED",
        "/console/app/nightly-load",
        "/console/app/nightly-load?version=feed1",
        "/console/app/nightly-load?do=suspend&after=1",
    ]
    .map(str::to_owned)
    .into();
    for id in [WORKFLOW, COORDINATOR, BUNDLE, FAILED, WORKED] {
        for part in ["", "/events", "/definition", "/properties"] {
            pages.push(format!("/console/job/{id}{part}"));
        }
    }
    for id in [WORKFLOW, FAILED, WORKED] {
        for part in ["/timeline", "/compare", "/command/rerun", "/command/kill"] {
            pages.push(format!("/console/job/{id}{part}"));
        }
    }
    for part in [
        "timeline",
        "timeline?view=month&at=2026-11-25",
        "timeline?view=day",
        "timeline?view=hour&at=2026-10-25T02:00",
        "forecast",
    ] {
        pages.push(format!("/console/job/{COORDINATOR}/{part}"));
    }
    for verb in ["suspend", "kill?action=3", "change", "ignore"] {
        pages.push(format!("/console/job/{COORDINATOR}/command/{verb}"));
    }
    for part in [
        "node/load",
        "output/load",
        "output/load?stream=err&q=disk",
        "output/load?find=line",
    ] {
        pages.push(format!("/console/job/{FAILED}/{part}"));
    }
    pages
}

fn header(answer: &Answer, name: &str) -> String {
    answer.header(name).unwrap_or_default().to_owned()
}

/// What would run or change how a page looks, wherever it comes from.
#[track_caller]
fn check_markup(path: &str, page: &str) {
    let is_script = |tag: &str| tag.starts_with("script") && !tag.contains("type=\"module\" src=");
    for tag in page.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap_or_default();
        assert!(!is_script(tag), "{path}: {tag}");
        for bad in [
            "style",
            "iframe",
            "object",
            "embed",
            "img",
            "base",
            "foreignObject",
        ] {
            let name = tag.split(|c: char| !c.is_ascii_alphabetic()).next();
            assert_ne!(name, Some(bad), "{path}: {tag}");
        }
        let outside = outside_of_quotes(tag);
        assert!(!outside.contains(" style="), "{path}: {tag}");
        let mut words = outside.split_whitespace();
        let handler = words.find(|word| word.starts_with("on") && word.contains('='));
        assert_eq!(handler, None, "{path}: {tag}");
        assert!(!tag.contains("href=\"javascript"), "{path}: {tag}");
    }
    for hidden in ['\u{1b}', '\u{7}', '\u{202e}', '\u{200b}'] {
        assert!(!page.contains(hidden), "{path} has {hidden:?}");
    }
}

/// A tag without the values of its attributes.
fn outside_of_quotes(tag: &str) -> String {
    let parts = tag.split('"').enumerate();
    parts
        .filter(|(number, _)| number % 2 == 0)
        .map(|(_, part)| part)
        .collect()
}

#[test]
fn every_page_is_there_and_has_neither_script_nor_style_of_its_own() {
    let server = with_failure();
    for path in pages() {
        let page = server.get(&path);
        assert_eq!(page.status, 200, "{path}: {}", page.body);
        assert_eq!(
            header(&page, "content-type"),
            "text/html; charset=utf-8",
            "{path}"
        );
        let policy = header(&page, "content-security-policy");
        assert!(policy.starts_with("default-src 'none'"), "{path}: {policy}");
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        check_markup(&path, &page.body);
        assert_eq!(page.body.matches("<h1").count(), 1, "{path}");
        assert!(page.body.contains("<html lang=\"en\">"), "{path}");
    }
}

#[test]
fn every_link_leads_somewhere() {
    let server = with_failure();
    let mut open = vec!["/oozie/".to_owned()];
    let mut seen = BTreeSet::new();
    while let Some(path) = open.pop() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let page = server.send("GET", &path, &[], "");
        assert_eq!(page.status, 200, "{path}: {}", page.body);
        if !header(&page, "content-type").starts_with("text/html") {
            continue;
        }
        for (name, quoted) in [
            ("href", page.body.split("href=\"")),
            ("src", page.body.split("src=\"")),
        ] {
            for link in quoted.skip(1) {
                let link = link
                    .split('"')
                    .next()
                    .unwrap_or_default()
                    .replace("&amp;", "&");
                let (link, place) = link.split_once('#').unwrap_or((&link, ""));
                if link.is_empty() {
                    let has_place = page.body.contains(&format!("id=\"{place}\""));
                    assert!(has_place, "{path}: #{place}");
                } else if !link.starts_with("data:") {
                    let is_own = link.starts_with("/oozie/") || FOR_PROGRAMS.contains(&link);
                    assert!(is_own, "{path}: {name} {link}");
                    // Each day has a day before it, and so has each period of a calendar.
                    let is_endless = |part: &str| path.contains(part) && link.contains(part);
                    if !is_endless("?day=") && !is_endless("/timeline?view=") {
                        open.push(link.to_owned());
                    }
                }
            }
        }
    }
    // All kinds of pages were come to.
    for part in [
        "/node/",
        "/compare",
        "/command/rerun",
        "/console/late",
        "/console/apps",
        "/console/app/nightly-load?version=feed1",
        "/console/sla?state=MET",
        "/console/settings",
        "/console/doctor",
        "/console/audit",
        "/console/tokens",
        "/openapi.json",
        "report.html",
        ".css",
        ".js",
    ] {
        assert!(
            seen.iter().any(|path| path.contains(part)),
            "{part}: {seen:?}"
        );
    }
}

#[test]
fn a_failed_run_says_why_and_what_to_type() {
    let server = with_failure();
    let overview = server.get("/").body;
    let address = format!("/oozie/console/job/{FAILED}");
    assert!(
        overview.contains(&format!("href=\"{address}\"")),
        "{overview}"
    );
    assert!(overview.contains("the last run failed") && overview.contains("load failed"));
    let page = server.send("GET", &address, &[], "").body;
    // The error output, without colors, secrets or markup.
    assert!(
        page.contains("disk full, password ******** &lt;b&gt;"),
        "{page}"
    );
    assert!(page.contains(&format!("hpdl rerun {FAILED} --failed")));
    assert!(page.contains("What changed since the run that worked?"));
    let compare = server.get(&format!("/console/job/{FAILED}/compare")).body;
    for part in [
        WORKED,
        "2026-11-27",
        "2026-11-28",
        "given Shell.args.0: 2026-11-28, before 2026-11-27",
        "JA018",
        "<li>its XML differs</li>",
        " s-waiting\">",
        "Graph of both definitions",
    ] {
        assert!(compare.contains(part), "{part}: {compare}");
    }
    assert!(!compare.contains("hunter22") && !page.contains("hunter22"));
    let found = server
        .get(&format!("/console/job/{FAILED}/output/load?q=LINE+TWO"))
        .body;
    assert!(
        found.contains("line two") && !found.contains("line one"),
        "{found}"
    );
    let report = server
        .get(&format!("/console/job/{FAILED}/report.html"))
        .body;
    assert!(report.contains("disk full") && !report.contains("hunter22"));
    assert!(!report.contains("href=\"/"), "it leads to no server");
}

#[test]
fn the_root_and_oozies_address_of_a_job_lead_to_pages() {
    let server = kinds::server();
    for (path, to) in [
        ("/", "/oozie/".to_owned()),
        ("/oozie", "/oozie/".to_owned()),
        ("/oozie/console", "/oozie/".to_owned()),
        (
            "/oozie?job=0000001-261125093313444-hpdl-W",
            format!("/oozie/console/job/{WORKFLOW}"),
        ),
    ] {
        let answer = server.send("GET", path, &[], "");
        assert_eq!(answer.status, 303, "{path}");
        assert_eq!(header(&answer, "location"), to, "{path}");
    }
    // The API has kept its own answers.
    assert_eq!(server.get("/v2/nothing").status, 404);
    assert!(server.get("/v2/nothing").body.starts_with('{'));
    let page = server.get("/console/nothing");
    assert_eq!(
        (
            page.status.as_u16(),
            page.body.contains("<h1>Not found</h1>")
        ),
        (404, true)
    );
}

#[test]
fn assets_are_kept_for_long_and_compressed() {
    let server = kinds::server();
    let page = server.get("/").body;
    for ending in [".css", ".js"] {
        let end = page.find(ending).unwrap() + ending.len();
        let start = page[..end].rfind('"').unwrap() + 1;
        let path = &page[start..end];
        let gzip = [("Accept-Encoding".to_owned(), "br, gzip;q=0.8".to_owned())];
        let asset = server.send("GET", path, &gzip, "");
        assert_eq!(asset.status, 200, "{path}");
        assert!(header(&asset, "cache-control").contains("immutable"));
        assert_eq!(header(&asset, "content-encoding"), "gzip");
        let refused = [("Accept-Encoding".to_owned(), "gzip;q=0".to_owned())];
        let plain = server.send("GET", path, &refused, "");
        assert_eq!(header(&plain, "content-encoding"), "");
        assert!(asset.body.len() < plain.body.len());
    }
    assert_eq!(server.get("/console/asset/console-0.css").status, 404);
}

fn form(server: &TestServer, path: &str, body: &str, more: &[(&str, &str)]) -> Answer {
    let mut headers = vec![(
        "Content-Type".to_owned(),
        "application/x-www-form-urlencoded".to_owned(),
    )];
    headers.extend(
        more.iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned())),
    );
    server.send("POST", path, &headers, body)
}

/// The proof in the form of a page.
fn proof(page: &str) -> String {
    let at = page.find("name=\"proof\" value=\"").unwrap() + "name=\"proof\" value=\"".len();
    page[at..].split('"').next().unwrap().to_owned()
}

#[test]
fn a_command_needs_a_form_of_this_server_made_for_this_caller() {
    let server = kinds::server();
    let path = format!("/oozie/console/job/{WORKFLOW}/command/suspend");
    let page = server.send("GET", &path, &[], "");
    let own = format!("proof={}", proof(&page.body));
    let of_ada = server.send("GET", &format!("{path}?user.name=ada"), &[], "");
    let of_other = format!("proof={}", proof(&of_ada.body));
    assert_ne!(own, of_other);
    let none = String::new();
    let wrong = "proof=0123456789abcdef".to_owned();
    for (body, more) in [
        (&none, &[][..]),
        (&wrong, &[]),
        (&of_other, &[]),
        (&own, &[("Origin", "http://evil.example")]),
    ] {
        let refused = form(&server, &path, body, more);
        assert_eq!(refused.status, 403, "{body} {more:?}");
    }
    let as_text = server.send("POST", &path, &[], &own);
    assert_eq!(as_text.status, 400);
    for verb in ["purge", "rerun%20--failed", ""] {
        let path = format!("/oozie/console/job/{WORKFLOW}/command/{verb}");
        assert_eq!(form(&server, &path, &own, &[]).status, 404, "{verb}");
    }
    let store = server.session.store().unwrap();
    assert!(
        audit::last(&store, 9).unwrap().is_empty(),
        "nothing was begun"
    );
}

#[test]
fn a_token_for_reading_sees_plans_and_commands_nothing() {
    let server = TestServer::with_mode(BTreeMap::new(), Mode::Token);
    let store = server.session.store().unwrap();
    let job = JobRow {
        status: JobStatus::Suspended,
        ..JobRow::new(WORKFLOW, 0)
    };
    query::insert_job(&store, &job).unwrap();
    let (row, token) = token::make("test", "ada", Role::Read, None).unwrap();
    tokens::insert(&store, &row).unwrap();
    let bearer = format!("Bearer {token}");
    let sent = [("Authorization", bearer.as_str())];
    let headers: Vec<_> = sent
        .iter()
        .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
        .collect();
    let path = format!("/oozie/console/job/{WORKFLOW}/command/resume");
    assert_eq!(server.send("GET", &path, &[], "").status, 401);
    let page = server.send("GET", &path, &headers, "");
    assert_eq!(page.status, 200);
    let refused = form(
        &server,
        &path,
        &format!("proof={}", proof(&page.body)),
        &sent,
    );
    assert_eq!(refused.status, 403);
    assert!(refused.body.contains("role read"), "{}", refused.body);
}

#[test]
fn an_open_page_is_told_what_has_changed_and_nothing_else() {
    let server = kinds::server();
    let store = server.session.store().unwrap();
    let page = server.get(&format!("/console/job/{WORKFLOW}")).body;
    let at = page.find("data-live=\"").unwrap() + "data-live=\"".len();
    let live = page[at..].split('"').next().unwrap().replace("&amp;", "&");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let request = Request::builder()
            .uri(&live)
            .header("Host", "localhost:11000")
            .body(Body::empty())
            .unwrap();
        let response = server.router.clone().oneshot(request).await.unwrap();
        let kind = response.headers()["content-type"].to_str().unwrap();
        assert_eq!(kind, "text/event-stream");
        let mut body = response.into_body();
        let mut next = async || {
            let frame = std::future::poll_fn(|cx| std::pin::Pin::new(&mut body).poll_frame(cx));
            let frame = tokio::time::timeout(Duration::from_millis(1_500), frame)
                .await
                .ok()?;
            let bytes = frame?.ok()?.into_data().ok()?;
            Some(String::from_utf8_lossy(&bytes).into_owned())
        };
        assert_eq!(next().await, None, "the page is as new as the store");
        let row = ActionRow {
            status: ActionStatus::Running,
            started: Some(1_000),
            ..ActionRow::new(WORKFLOW, "<new>", "shell")
        };
        write(&store, &row);
        let line = LogRow {
            job_id: WORKFLOW.to_owned(),
            time: 1_000,
            node: Some("<new>".to_owned()),
            event: "RUNNING".to_owned(),
            message: None,
        };
        line.write(&store).unwrap();
        let told = next().await.unwrap();
        assert!(told.starts_with("event: parts\ndata: {"), "{told}");
        assert!(
            told.contains("node-%3Cnew%3E") && told.contains("&lt;new&gt;"),
            "{told}"
        );
        assert!(
            !told.contains("\"load\""),
            "a row that is the same is not told: {told}"
        );
        // Other jobs are not its business.
        let other = JobRow::new("0000077-261125093313444-hpdl-W", 0);
        query::insert_job(&store, &other).unwrap();
        assert_eq!(next().await, None);
    });
}
