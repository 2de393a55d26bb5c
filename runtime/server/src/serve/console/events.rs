//! The events of a job and of its sub-workflows.

use hpdlc_runtime::fleet;
use hpdlc_store::{query, sql::Connection};
use serde_json::{Value, json};

use crate::serve::{
    call::Call,
    console::{links, marks::look, subject::Subject},
    failure::Failure,
};

/// Events on a page; the newest.
const MOST_EVENTS: usize = 2_000;

/// The newest events, the newest first, and how many earlier ones there are.
pub(crate) fn events(
    call: &Call,
    connection: &Connection,
    subject: &Subject,
) -> Result<(Vec<Value>, usize), Failure> {
    let job = &subject.job;
    let lines = query::log(connection, &job.id, 0).map_err(|error| call.server.failed(error))?;
    let n_more = lines.len().saturating_sub(MOST_EVENTS);
    let events = lines.iter().rev().take(MOST_EVENTS).map(|(_, line)| {
        let node = line.node.as_deref();
        let is_node = line.job_id.ends_with("-W");
        json!({
            "time": line.time,
            "job": (line.job_id != job.id).then(|| fleet::short_id(&line.job_id)),
            "node": node,
            "href": node.filter(|_| is_node).map(|node| links::node(&call.server.base, &line.job_id, node)),
            "event": line.event,
            "look": look(&line.event).class(),
            "message": line.message.as_deref().map(|text| subject.masks.text(text)),
        })
    });
    Ok((events.collect(), n_more))
}
