//! The report of a run: one HTML file without script, to be sent and kept. Graph, timeline, values, the ends of outputs, events.

use axum::http::{HeaderValue, header};
use hpdlc_graph::{Options, linked_svg};
use hpdlc_host::clock;
use hpdlc_runtime::fleet;
use hpdlc_store::ActionRow;
use serde_json::{Value, json};

use crate::serve::{
    call::Call,
    console::{
        assets, events, executable, head, links, nodes,
        page::HTML,
        printed::{self, Stream},
        subject::{self, Subject},
        templates,
    },
    failure::Failure,
    reply::{self, Reply},
    wire::workflow,
};

/// Its style is in it: it is a file of its own, and loads nothing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'";
/// Of each output.
const MOST_OUTPUT: u64 = 16 * 1024;
/// Larger graphs are folded.
const MOST_BOXES: usize = 160;

/// `job/ID/report.html`
pub(crate) fn report(call: &Call, id: &str) -> Reply {
    let connection = call.server.store()?;
    let subject = subject::of(call, &connection, id)?;
    let job = &subject.job;
    if !job.id.ends_with("-W") {
        return Err(Failure::not_found());
    }
    let now = clock::now_millis();
    let title = format!("{} {}", job.app, job.id);
    let structure = executable::structure(call, job);
    let graph = structure.as_ref().map(|structure| {
        let picture = structure.picture(&title, Some(&subject.rows), &subject.masks);
        let options = Options {
            error_edges: false,
            collapse_above: MOST_BOXES,
            has_style: false,
        };
        linked_svg(&picture, options, &|name| {
            let is_row = subject.rows.iter().any(|row| row.name == name);
            match is_row {
                true => format!("#node-{}", links::part(name)),
                false => "#nodes".to_owned(),
            }
        })
    });
    let timeline = fleet::timeline_element(&call.server.session, job);
    let rows: Vec<_> = subject
        .rows
        .iter()
        .map(|row| {
            let mut shown = nodes::row("", job, row, &subject.masks, now);
            shown.href = match is_detailed(row) {
                true => format!("#detail-{}", links::part(&row.name)),
                false => String::new(),
            };
            shown
        })
        .collect();
    let details: Vec<Value> = subject
        .rows
        .iter()
        .filter(|row| is_detailed(row))
        .map(|row| detail(call, &subject, row))
        .collect();
    let (events, n_more) = events::events(call, &connection, &subject)?;
    let properties: Vec<Value> = workflow::properties(job, &subject.masks)
        .iter()
        .map(|(name, value)| json!({ "name": name, "value": value }))
        .collect();
    let text = templates::render(
        "report",
        &json!({
            "title": subject.masks.text(&title),
            "style_html": assets::STYLE.text(),
            "sprite_html": assets::SPRITE,
            "head_html": head::plain(call, &connection, &subject)?,
            "graph_html": graph.as_ref().ok(),
            "graph_problem": structure.as_ref().err().map(|failure| &failure.message),
            "timeline_html": timeline.ok(),
            "rows_html": rows.iter().map(nodes::markup).collect::<Result<String, Failure>>()?,
            "details": details,
            "events": events,
            "n_more_events": n_more,
            "properties": properties,
            "version": env!("CARGO_PKG_VERSION"),
            "now": now,
        }),
    )?;
    let mut response = reply::text(HTML, text)?;
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(POLICY),
    );
    let name = format!("inline; filename=\"{}.html\"", links::part(&job.id));
    if let Ok(name) = HeaderValue::from_str(&name) {
        headers.insert(header::CONTENT_DISPOSITION, name);
    }
    Ok(response)
}

/// Whether a node has values and output.
fn is_detailed(row: &ActionRow) -> bool {
    !row.type_name.starts_with(':')
}

/// What a node was given, and what it printed last.
fn detail(call: &Call, subject: &Subject, row: &ActionRow) -> Value {
    let end = |stream| {
        let path = printed::file(call, &subject.job, row, row.attempt, stream);
        let part = printed::read(&path, None, MOST_OUTPUT).unwrap_or_default();
        json!({
            "text": part.shown(&subject.masks),
            "is_cut": part.from > 0,
            "size": printed::bytes(part.size),
        })
    };
    json!({
        "id": format!("detail-{}", links::part(&row.name)),
        "name": row.name,
        "mark": nodes::mark(row),
        "given": nodes::leaves(row.work.as_deref(), &subject.masks),
        "data": nodes::leaves(row.data.as_deref(), &subject.masks),
        "out": end(Stream::Out),
        "err": end(Stream::Err),
    })
}
