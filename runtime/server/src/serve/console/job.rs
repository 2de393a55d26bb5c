//! A job: where it is and why, what to type, its graph, and its nodes. Parts of it are pages of their own: timeline, events, definition,
//! properties.

use std::collections::BTreeMap;

use hpdlc_core::secrets;
use hpdlc_host::{clock, job_id::JobKind};
use hpdlc_runtime::fleet::{self, GraphStructure};
use hpdlc_store::{ActionRow, JobRow, LogRow, query, sql::Connection};
use serde_json::{Value, json};

use crate::serve::{
    call::Call,
    console::{
        after, bundle, coordinator, events, executable,
        head::{head, tabs},
        links,
        marks::Mark,
        nodes::{self, NodeRow},
        page,
        subject::{self, Subject},
    },
    definition,
    failure::Failure,
    reply::Reply,
    wire::workflow,
};

/// Children that are listed.
const MOST_CHILDREN: usize = 50;
/// Nodes in one body of a table. A job with more has several.
const MOST_ROWS: usize = 200;
const ROWS_OF_BODY: usize = 50;

/// `job/ID`
pub(crate) fn job(call: &Call, id: &str) -> Reply {
    let connection = call.server.store()?;
    let subject = subject::of(call, &connection, id)?;
    if JobKind::of(&subject.job.id) != JobKind::Workflow {
        return match JobKind::of(&subject.job.id) {
            JobKind::Bundle => bundle::page(call, &connection, &subject),
            _ => coordinator::page(call, &connection, &subject),
        };
    }
    let base = &call.server.base;
    let now = clock::now_millis();
    let structure = executable::structure(call, &subject.job);
    let graph = structure.as_ref().map(|structure| {
        executable::drawn(call, &subject.job, structure, &subject.rows, &subject.masks)
    });
    let rows: Vec<_> = subject
        .rows
        .iter()
        .map(|row| nodes::row(base, &subject.job, row, &subject.masks, now))
        .collect();
    let mut earlier = bodies(&rows)?;
    let rows_html = earlier.pop().unwrap_or_default();
    let n_ahead = structure
        .as_ref()
        .map_or(0, |it| n_ahead(it, &subject.rows));
    let values = json!({
        "head_html": head(call, &connection, &subject)?,
        "tabs": tabs(call, &subject.job, ""),
        "graph_html": graph.as_ref().ok(),
        "graph_problem": structure.as_ref().err().map(|failure| &failure.message),
        "is_large": rows.len() > MOST_ROWS,
        "earlier": earlier.iter().map(|rows| json!({ "rows_html": rows })).collect::<Vec<Value>>(),
        "rows_html": rows_html,
        "n_rows": rows.len(),
        "n_ahead": n_ahead,
        "children": children(call, &connection, &subject.job)?,
        "after_html": after::of_job(call, &connection, &subject)?,
    });
    page::html(call, subject::own_frame(call, &subject), "job", &values)
}

/// The rows in bodies of a table, each of which the browser lays out when it comes into sight; the last one takes what follows.
fn bodies(rows: &[NodeRow]) -> Result<Vec<String>, Failure> {
    let chunks = rows.chunks(match rows.len() {
        0..=MOST_ROWS => MOST_ROWS,
        _ => ROWS_OF_BODY,
    });
    chunks
        .map(|rows| rows.iter().map(nodes::markup).collect())
        .collect()
}

/// Actions of the definition that the run has not reached.
fn n_ahead(structure: &GraphStructure, rows: &[ActionRow]) -> usize {
    let is_new = |name: &String| !rows.iter().any(|row| row.name == *name);
    let nodes = structure.nodes.iter();
    nodes
        .filter(|node| node.kind == "action" && node.reached && is_new(&node.name))
        .count()
}

/// The jobs that this one started, and what they are to it.
fn children(call: &Call, connection: &Connection, job: &JobRow) -> Result<Vec<Value>, Failure> {
    let failed = |error| call.server.failed(error);
    let tree = query::job_tree(connection, &job.root_id).map_err(failed)?;
    let mut found: Vec<JobRow> = tree
        .into_iter()
        .filter(|row| row.parent_id.as_deref() == Some(&job.id))
        .collect();
    let actions = query::actions(connection, &job.id).map_err(failed)?;
    let starters = actions.iter().filter(|row| row.type_name == "sub-workflow");
    for starter in starters {
        let elsewhere = query::children_elsewhere(connection, &job.id, &starter.name);
        found.extend(elsewhere.map_err(failed)?);
    }
    let mut children = Vec::new();
    for child in found.iter().take(MOST_CHILDREN) {
        let mask = call.server.mask(connection, child)?;
        children.push(json!({
            "id": child.id,
            "href": links::job(&call.server.base, &child.id),
            "app": mask.text(&child.app),
            "node": child.parent_node,
            "mark": Mark::of(child.status.name()),
        }));
    }
    Ok(children)
}

/// `job/ID/events` and the others.
pub(crate) fn part(call: &Call, id: &str, what: &str) -> Reply {
    let connection = call.server.store()?;
    let subject = subject::of(call, &connection, id)?;
    let job = &subject.job;
    let mut values = json!({
        "head_html": head(call, &connection, &subject)?,
        "tabs": tabs(call, job, what),
        "picture_html": null, "picture_problem": null, "events": null, "n_more_events": 0,
        "lines": null, "line_problem": null, "properties": null, "owners": [],
    });
    match what {
        "timeline" => {
            match fleet::timeline_element(&call.server.session, job) {
                Ok(picture) => values["picture_html"] = json!(picture),
                Err(error) => values["picture_problem"] = json!(error.message),
            }
            values["owners"] = json!(owners(call, &connection, &subject)?);
        }
        "events" => {
            let (events, n_more) = events::events(call, &connection, &subject)?;
            values["events"] = json!(events);
            values["n_more_events"] = json!(n_more);
        }
        "definition" => match definition::document(call, job) {
            Ok(document) => values["lines"] = numbered(&subject.masks.text(&document)),
            Err(failure) => values["line_problem"] = json!(failure.message),
        },
        _ => values["properties"] = properties(&subject),
    }
    let title = match what {
        "timeline" => "Timeline",
        "events" => "Events",
        "definition" => "Definition",
        _ => "Properties",
    };
    page::html(
        call,
        subject::frame_below(call, &subject, title),
        "job_part",
        &values,
    )
}

/// When other processes took the job over.
fn owners(call: &Call, connection: &Connection, subject: &Subject) -> Result<Vec<Value>, Failure> {
    let job = &subject.job;
    let log = query::log(connection, &job.id, 0).map_err(|error| call.server.failed(error))?;
    let log: Vec<LogRow> = log.into_iter().map(|(_, line)| line).collect();
    let begin = job.started.unwrap_or(job.created);
    let changes = fleet::owner_changes(&log, begin, &subject.masks);
    Ok(changes
        .into_iter()
        .map(|it| json!({ "from": it.from, "to": it.to, "text": it.text }))
        .collect())
}

/// Lines with their numbers, for links to them.
fn numbered(text: &str) -> Value {
    let lines = text.lines().zip(1_u32..);
    lines
        .map(|(text, number)| json!({ "number": number, "text": text }))
        .collect()
}

fn properties(subject: &Subject) -> Value {
    let conf: BTreeMap<String, String> = workflow::properties(&subject.job, &subject.masks);
    conf.iter()
        .map(|(name, value)| {
            json!({ "name": name, "value": value, "secret": value.contains(secrets::MASK) })
        })
        .collect()
}
