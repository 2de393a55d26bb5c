//! The overview: what needs somebody, the grid of applications by their last runs, and what is due next.

use axum::http::Method;
use hpdlc_host::clock;
use hpdlc_store::{overview as rows, query};
use serde_json::{Value, json};

use crate::serve::{
    call::Call,
    console::{
        attention, grid, links,
        marks::{self, Mark},
        page::{self, Frame},
        paging::{self, Page},
        templates,
    },
    failure::Failure,
    query::Parameters,
    reply::Reply,
};

/// The newest runs that are looked at.
const RUNS: u32 = 10_000;
/// What needs somebody is shown up to this number.
const MOST_ITEMS: usize = 25;
/// Coordinators of what is due next.
const DUE: u32 = 12;

/// `/`
pub(crate) fn overview(call: &Call) -> Reply {
    call.expect_method(&[Method::GET, Method::HEAD])?;
    let values = values(call)?;
    let markup = templates::render("overview_live", &values)?;
    let digest = templates::digest(&markup).to_string();
    let base = &call.server.base;
    let mut own: Vec<(&str, &str)> = vec![("page", "overview"), ("seen", &digest)];
    for name in ["app", "state", "from"] {
        own.extend(call.parameters.filled(name).map(|value| (name, value)));
    }
    let live = links::with_query(&format!("{base}/console/live"), &own);
    let frame = Frame::new("Overview", "").live(live);
    page::html(call, frame, "overview", &json!({ "live_html": markup }))
}

/// What the reader has chosen: applications by a part of their name and by the state of their last run.
struct Choice<'a> {
    app: &'a str,
    state: &'a str,
    from: usize,
}

impl Choice<'_> {
    fn of(parameters: &Parameters) -> Choice<'_> {
        let text = |name| parameters.filled(name).unwrap_or_default();
        Choice {
            app: text("app"),
            state: text("state"),
            from: text("from").parse().unwrap_or_default(),
        }
    }

    fn takes(&self, app: &str, last: &str) -> bool {
        let has_name = app.to_lowercase().contains(&self.app.to_lowercase());
        has_name && (self.state.is_empty() || marks::look(last).class() == self.state)
    }
}

/// The part that changes.
pub(crate) fn live_part(call: &Call) -> Result<String, Failure> {
    templates::render("overview_live", &values(call)?)
}

fn values(call: &Call) -> Result<Value, Failure> {
    let connection = call.server.store()?;
    let failed = |error| call.server.failed(error);
    let now = clock::now_millis();
    let base = &call.server.base;
    let runs = rows::newest_runs(&connection, RUNS).map_err(failed)?;
    let (items, n_items) = attention::all(call, &connection, &runs, now, MOST_ITEMS)?;
    let choice = Choice::of(&call.parameters);
    let apps = grid::by_app(&runs);
    let n_apps = apps.len();
    let chosen: Vec<_> = apps
        .into_iter()
        .filter(|(app, of)| {
            let last = of.first().map_or("", |run| run.status.as_str());
            choice.takes(app, last)
        })
        .collect();
    let n_chosen = chosen.len();
    let shown = chosen.into_iter().skip(choice.from).take(grid::MOST_APPS);
    let mut grid_rows = Vec::new();
    for (app, of) in shown {
        let Some(mut row) = grid::row(base, app, &of, now) else {
            continue;
        };
        // Its name may be made of a property.
        if let Some(run) = of.first()
            && let Some(job) = query::job(&connection, &run.id).map_err(failed)?
        {
            let shown = call.server.mask(&connection, &job)?.text(&row.app);
            // The address of its jobs has its name, too.
            if shown != row.app {
                row.href.clone_from(&row.last_href);
                row.app = shown;
            }
        }
        grid_rows.push(row);
    }
    let mut next = Vec::new();
    for due in rows::due(&connection, DUE).map_err(failed)? {
        let mut app = due.app;
        if let Some(job) = query::job(&connection, &due.job_id).map_err(failed)? {
            app = call.server.mask(&connection, &job)?.text(&app);
        }
        next.push(json!({
            "app": app,
            "href": links::job(base, &due.job_id),
            "mark": Mark::of(&due.status),
            "next": due.next,
            "waiting": due.waiting,
            "frequency": due.frequency,
        }));
    }
    let step = |from: usize| {
        let from = paging::offset(from);
        let all = [
            ("app", choice.app),
            ("state", choice.state),
            ("from", &from),
        ];
        links::with_query(&links::overview(base), &all)
    };
    let states = ["bad", "killed", "stuck", "running", "waiting", "good"]
        .map(|look| json!({ "look": look, "name": name_of(look), "chosen": look == choice.state }));
    let mut values = json!({
        "base": base,
        "items": items,
        "n_items": n_items,
        "n_more_items": n_items.saturating_sub(MOST_ITEMS),
        "all_failed": links::jobs(base, &[("status", "FAILED,KILLED,SUSPENDED")]),
        "rows": grid_rows,
        "n_apps": n_apps,
        "is_filtered": !(choice.app.is_empty() && choice.state.is_empty()),
        "is_paged": n_chosen > grid::MOST_APPS,
        "next": next,
        "app": choice.app,
        "states": states,
        "now": now,
    });
    let page = Page {
        from: choice.from,
        most: grid::MOST_APPS,
        n_found: n_chosen,
    };
    page.put(&mut values, step);
    Ok(values)
}

/// The word for a look among the filters.
fn name_of(look: &str) -> &'static str {
    match look {
        "bad" => "failed",
        "killed" => "killed",
        "stuck" => "suspended",
        "running" => "running",
        "waiting" => "waiting",
        _ => "succeeded",
    }
}
