//! The list of applications: everything that jobs were started with, or that was registered or deployed to start them with.

use axum::http::Method;
use hpdlc_store::applications::{self, ApplicationSummary};
use serde_json::{Value, json};

use crate::serve::{
    call::Call,
    console::{
        links,
        marks::Mark,
        page::{self, Frame},
    },
    reply::Reply,
};

/// The state of an application that was registered and not deployed: it has no life cycle.
pub(crate) const REGISTERED: &str = "REGISTERED";
/// The choices of the filter.
const STATES: [(&str, &str); 5] = [
    ("", "all states"),
    ("ACTIVE", "active"),
    ("SUSPENDED", "suspended"),
    ("INACTIVE", "inactive"),
    (REGISTERED, "registered only"),
];

/// `apps?q=&status=`
pub(crate) fn apps(call: &Call) -> Reply {
    call.expect_method(&[Method::GET, Method::HEAD])?;
    let connection = call.server.store()?;
    let all = applications::summaries(&connection, None);
    let all = all.map_err(|error| call.server.failed(error))?;
    let text = |name: &str| call.parameters.filled(name).unwrap_or_default().trim();
    let (q, status) = (text("q"), text("status"));
    let word = q.to_lowercase();
    let rows: Vec<Value> = all
        .iter()
        .filter(|app| status.is_empty() || state(app) == status)
        .filter(|app| app.definition.app.to_lowercase().contains(&word))
        .map(|app| row(&call.server.base, app))
        .collect();
    let states: Vec<Value> = STATES
        .iter()
        .map(|(value, name)| json!({ "value": value, "name": name, "chosen": *value == status }))
        .collect();
    let values = json!({
        "action": links::apps(&call.server.base),
        "q": q,
        "states": states,
        "rows": rows,
        "is_filtered": !(q.is_empty() && status.is_empty()),
    });
    page::html(
        call,
        Frame::new("Applications", "console/apps"),
        "apps",
        &values,
    )
}

/// Whether it accepts jobs.
pub(crate) fn state(app: &ApplicationSummary) -> &'static str {
    let deployed = app.deployed.as_ref();
    deployed.map_or(REGISTERED, |it| it.status.name())
}

fn row(base: &str, app: &ApplicationSummary) -> Value {
    let definition = &app.definition;
    let name = definition.app.as_str();
    json!({
        "name": name,
        "href": links::app(base, name),
        "mark": Mark::of(state(app)),
        "jobs": links::jobs(base, &[("app", name)]),
        "n_jobs": app.n_jobs,
        "unfinished": links::jobs(base, &[("app", name), ("status", "RUNNING,SUSPENDED,PREP")]),
        "n_unfinished": app.n_unfinished,
        "last": app.last_job,
        "n_definitions": app.n_definitions,
        "definition": definition.hash.get(..12).unwrap_or(&definition.hash),
        "registered": definition.created,
    })
}
