//! The server itself: what it is, what it serves, how it is, and where its API is described.

use axum::http::Method;
use hpdlc_host::{clock, user};
use hpdlc_store::{FORMAT_ENCRYPTED, FORMAT_MAJOR, FORMAT_MINOR};
use serde_json::{Value, json};

use crate::serve::{
    call::Call,
    console::{admin, links, marks::Mark, page, printed},
    listing, openapi,
    query::Version,
    reply::Reply,
    server::SystemMode,
};

pub(crate) fn about(call: &Call) -> Reply {
    call.expect_method(&[Method::GET, Method::HEAD])?;
    let server = &call.server;
    let connection = server.store()?;
    let counts = listing::counts(&connection).map_err(|error| server.failed(error))?;
    let major = match connection.keys() {
        Some(_) => FORMAT_ENCRYPTED,
        None => FORMAT_MAJOR,
    };
    let home = &server.session.home;
    let parts = hpdlc_store::size::parts(&connection, home);
    let parts = parts.map_err(|error| server.failed(error))?;
    let bytes = |name: &str| {
        let part = parts.iter().find(|(part, _)| *part == name);
        part.map(|(_, size)| printed::bytes(*size))
    };
    let uptime = i64::try_from(server.started.elapsed().as_millis()).unwrap_or(i64::MAX);
    let mode = server.mode();
    let (look, state) = match mode {
        SystemMode::Normal => ("good", "It accepts commands."),
        SystemMode::NoWebService | SystemMode::SafeMode => (
            "stuck",
            "Commands are refused, but those of administrators for the server.",
        ),
    };
    let n_jobs: i64 = counts.iter().map(|(_, _, n)| n).sum();
    let jobs: Vec<Value> = counts
        .iter()
        .map(|(kind, status, n)| {
            json!({
                "kind": match kind.as_str() { "C" => "coordinator", "B" => "bundle", _ => "workflow" },
                "mark": Mark::of(status),
                "n": n,
            })
        })
        .collect();
    let versions = Version::ALL.map(|version| version.to_string()).join(", ");
    let values = json!({
        "tabs": admin::tabs(call, "about"),
        "mode": Mark { look, word: mode.name().to_owned() },
        "state": state,
        "version": env!("CARGO_PKG_VERSION"),
        "url": server.url,
        "started": clock::now_millis() - uptime,
        "uptime": clock::format_duration(uptime),
        "auth": server.access.mode.name(),
        "owners_only": server.access.owners_only,
        "process": std::process::id(),
        "system_user": user::name(),
        "system": format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        "home": home.root().display().to_string(),
        "store": home.store_location().to_string(),
        "store_size": bytes("store"),
        "log_size": bytes("log"),
        "format": format!("{major}.{FORMAT_MINOR}"),
        "n_jobs": n_jobs,
        "all_jobs": links::jobs(&server.base, &[]),
        "jobs": jobs,
        "versions": versions,
        "interfaces": interfaces(call),
        "licence": env!("CARGO_PKG_LICENSE"),
    });
    page::html(call, admin::frame(call, "About"), "about", &values)
}

/// Where programs ask.
fn interfaces(call: &Call) -> Vec<Value> {
    let base = &call.server.base;
    [
        (format!("{base}/v2/"), false, "Oozie's Web Services API, also as v0 and v1"),
        ("/hws/v1/".to_owned(), false, "applications, jobs and administration"),
        (openapi::PATH.to_owned(), true, "the description of all operations (OpenAPI)"),
        (format!("{base}/versions"), true, "the versions of Oozie's API"),
        ("/metrics".to_owned(), true, "figures (OpenMetrics)"),
        ("/healthz".to_owned(), true, "whether the server lives"),
        ("/readyz".to_owned(), true, "whether it can read the store"),
    ]
    .map(|(path, is_page, text)| json!({ "path": path, "href": is_page.then(|| path.clone()), "text": text }))
    .into()
}
