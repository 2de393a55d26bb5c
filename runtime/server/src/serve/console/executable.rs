//! The graph of a job, which only its own executable knows.

use std::sync::Arc;

use hpdlc_graph::{Options, Picture, linked_svg};
use hpdlc_host::job_id::JobKind;
use hpdlc_runtime::fleet::{GraphStructure, Masks};
use hpdlc_store::{ActionRow, JobRow};

use crate::serve::{call::Call, console::links, failure::Failure, program};

/// Larger graphs are folded: nobody can read more boxes at once, and they would take long to place.
const MOST_BOXES: usize = 160;

/// The graph of a job's definition.
///
/// # Errors
///
/// The executable is gone, is a program of somebody's own, or is older than this server.
pub(crate) fn structure(call: &Call, job: &JobRow) -> Result<Arc<GraphStructure>, Failure> {
    let kind = match JobKind::of(&job.id) {
        JobKind::Workflow => "W",
        JobKind::Coordinator => "C",
        JobKind::Bundle => "B",
    };
    let key = (job.hash.clone(), kind.to_owned(), job.app_index);
    if let Some(kept) = call.server.structures.get(&key) {
        return Ok(kept);
    }
    let words = program::words(["graph", job.id.as_str(), "--json"]);
    let printed = program::of_job(&call.server.session, job, &words)?;
    let read: Result<GraphStructure, _> = serde_json::from_slice(&printed);
    let read =
        read.map_err(|error| Failure::server(format!("the graph of {}: {error}", job.app)))?;
    let read = Arc::new(read);
    call.server.structures.keep(key, Arc::clone(&read));
    Ok(read)
}

/// A job's graph with the state of each node, as an element; nodes are links to their pages.
pub(crate) fn drawn(
    call: &Call,
    job: &JobRow,
    structure: &GraphStructure,
    rows: &[ActionRow],
    masks: &Masks,
) -> String {
    let title = format!("{} {}", job.app, job.id);
    let rows = (JobKind::of(&job.id) == JobKind::Workflow).then_some(rows);
    let picture = structure.picture(&title, rows, masks);
    linked(call, job, &picture)
}

/// A picture whose nodes are links to the pages of the nodes of a job.
pub(crate) fn linked(call: &Call, job: &JobRow, picture: &Picture) -> String {
    let base = &call.server.base;
    linked_to(picture, &|name| links::node(base, &job.id, name))
}

/// A picture whose nodes are links: `link` gives the address of a node by its name.
pub(crate) fn linked_to(picture: &Picture, link: &dyn Fn(&str) -> String) -> String {
    let options = Options {
        error_edges: false,
        collapse_above: MOST_BOXES,
        has_style: false,
    };
    linked_svg(picture, options, link)
}
