//! The console: pages about the jobs of the state folder, for people with a browser (`runtime/server/CONSOLE.md`).
//!
//! A request is answered from left to right: [`page`] (whether it is there, for whom) -> one file for each page, which reads the store as
//! the API does -> `templates/console`. Nothing is on a page that no call of the API gives. Pages are whole without script; one script adds
//! what changes meanwhile ([`live`]), filters and keys. What others wrote is escaped by [`templates`], once for all pages.

use std::sync::Arc;

use axum::{
    Router,
    extract::Request,
    http::{Method, header},
    middleware,
    response::Response,
    routing::get,
};

use crate::serve::{
    call::Call,
    failure::Failure,
    gate::{recording_route, route},
    reply::Reply,
    server::Server,
};

mod about;
mod admin;
mod after;
mod app;
mod app_command;
mod app_form;
mod apps;
mod assets;
mod attention;
mod audit;
mod bundle;
mod calendar;
mod choices;
mod command;
mod compare;
mod coordinator;
mod csrf;
mod doctor;
mod events;
mod executable;
mod forecast;
mod graph_diff;
mod grid;
mod head;
mod job;
mod jobs;
mod late;
mod line_diff;
mod links;
mod live;
mod marked_xml;
mod marks;
mod node;
mod node_grid;
mod nodes;
mod output;
mod overview;
mod page;
mod paging;
mod plan;
mod printed;
mod report;
mod rerun_plan;
mod search;
mod settings;
mod sla;
mod subject;
mod tail;
mod templates;
mod tokens;
mod zones;

#[cfg(test)]
pub(crate) use self::links::part;

/// The paths of the console, below the base: `/` and `/console/...`.
pub(crate) fn routes(server: &Arc<Server>) -> Router<Arc<Server>> {
    let base = server.base.as_str();
    let mut pages = Router::new().route(&format!("{base}/"), route(overview::overview));
    if !base.is_empty() {
        pages = pages
            .route(base, route(self::base))
            .route("/", route(self::base));
    }
    let under = |path: &str| format!("{base}/console{path}");
    pages
        .route(&under(""), route(self::base))
        .route(&under("/"), route(self::base))
        .route(&under("/jobs"), route(jobs::jobs))
        .route(&under("/late"), route(late::late))
        .route(&under("/sla"), route(sla::sla))
        .route(&under("/about"), route(about::about))
        .route(&under("/settings"), route(settings::settings))
        .route(&under("/doctor"), route(doctor::doctor))
        .route(&under("/audit"), route(audit::audit))
        .route(&under("/tokens"), route(tokens::tokens))
        .route(&under("/apps"), route(apps::apps))
        .route(&under("/app/{*rest}"), recording_route(of_app))
        .route(&under("/job/{*rest}"), recording_route(of_job))
        .route(&under("/live"), get(live::live))
        .route(&under("/tail/{*rest}"), get(tail::tail))
        .route(&under("/asset/{*rest}"), route(assets::asset))
        .route(&under("/{*rest}"), route(nothing))
        .layer(middleware::from_fn_with_state(
            Arc::clone(server),
            page::finish,
        ))
}

/// Whether a person asks for a page. Programs that take everything are answered as Oozie answers them.
pub(crate) fn is_asked(server: &Server, request: &Request) -> bool {
    let path = request.uri().path();
    let below = path.strip_prefix(&server.base);
    let is_page = path == "/"
        || below
            .is_some_and(|it| matches!(it, "" | "/" | "/console") || it.starts_with("/console/"));
    let accepted = request.headers().get_all(header::ACCEPT).iter();
    let mut accepted = accepted.filter_map(|value| value.to_str().ok());
    is_page && accepted.any(|value| value.contains("text/html"))
}

/// Whether a path below the base is that of a style sheet or the script.
pub(crate) fn is_asset(path: &str) -> bool {
    path.starts_with("/console/asset/")
}

/// The page for a person who is not admitted.
pub(crate) fn refused(server: &Server, failure: &Failure, method: &Method) -> Response {
    page::refused(server, failure, method)
}

/// `?job=ID` on the base itself, which Oozie's clients give as the console's address of a job, and the base without a slash.
fn base(call: &Call) -> Reply {
    call.expect_method(&[Method::GET, Method::HEAD])?;
    let base = &call.server.base;
    match call.parameters.filled("job") {
        Some(id) => page::to(&links::job(base, id)),
        None => page::to(&links::overview(base)),
    }
}

fn nothing(_: &Call) -> Reply {
    Err(Failure::not_found())
}

/// The page of an application, and what its forms do.
fn of_app(call: &Call) -> Reply {
    match call.method {
        Method::POST => app_command::command(call),
        _ => app::app(call),
    }
}

/// The pages of a job: `ID`, `ID/node/NAME` and so on.
fn of_job(call: &Call) -> Reply {
    let mut parts = call.rest.splitn(3, '/');
    let id = parts.next().unwrap_or_default();
    let (what, name) = (parts.next().unwrap_or_default(), parts.next());
    let name = name.unwrap_or_default();
    if what == "command" {
        return command::command(call, id, name);
    }
    call.expect_method(&[Method::GET, Method::HEAD])?;
    match what {
        "" => job::job(call, id),
        "node" => node::node(call, id, name),
        "output" => output::output(call, id, name),
        "compare" => compare::compare(call, id),
        "forecast" => forecast::forecast(call, id),
        "timeline" if id.ends_with("-C") => calendar::calendar(call, id),
        "report.html" => report::report(call, id),
        "timeline" | "events" | "definition" | "properties" => job::part(call, id, what),
        _ => Err(Failure::not_found()),
    }
}
