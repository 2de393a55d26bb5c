//! The job that a page is about, and the trail that leads to the page.

use hpdlc_host::job_id::JobKind;
use hpdlc_runtime::fleet::{self, Masks};
use hpdlc_store::{ActionRow, JobRow, overview, sql::Connection};
use serde_json::Value;

use crate::serve::{
    call::Call,
    console::{links, page::Frame},
    failure::Failure,
    found,
};

/// What pages of a workflow job read.
pub(crate) struct Subject {
    pub(crate) job: JobRow,
    pub(crate) masks: Masks,
    /// The last line of the log before all of it was read: what comes meanwhile is told to the page once more.
    line: i64,
    /// In the order in which the run has reached them.
    pub(crate) rows: Vec<ActionRow>,
}

/// The job of a page.
///
/// # Errors
///
/// E0604 if there is none.
pub(crate) fn of(call: &Call, connection: &Connection, id: &str) -> Result<Subject, Failure> {
    let line = overview::last_line(connection).map_err(|error| call.server.failed(error))?;
    let job = found::expect_job(call, connection, id)?;
    let masks = call.server.mask(connection, &job)?;
    let rows = match JobKind::of(&job.id) {
        JobKind::Workflow => fleet::reached_nodes(&call.server.session, &job)?,
        JobKind::Coordinator | JobKind::Bundle => Vec::new(),
    };
    Ok(Subject {
        job,
        masks,
        line,
        rows,
    })
}

/// The frame of a page about a job, with the trail to it.
pub(crate) fn frame(call: &Call, subject: &Subject, title: &str) -> Frame {
    let base = &call.server.base;
    let job = &subject.job;
    let app = subject.masks.text(&job.app);
    let mut frame = Frame::new(title, "console/jobs").below("Jobs", links::jobs(base, &[]));
    frame = frame.below(&app, links::jobs(base, &[("app", &job.app)]));
    if let Some(parent) = &job.parent_id {
        let id = parent.split('@').next().unwrap_or(parent);
        frame = frame.below(fleet::short_id(id), links::job(base, id));
    }
    frame
}

/// As [`frame`], of the job's own page, which hears of changes.
pub(crate) fn own_frame(call: &Call, subject: &Subject) -> Frame {
    let id = subject.job.id.as_str();
    let line = subject.line.to_string();
    let own = [("page", "job"), ("job", id), ("seen", &line)];
    let live = links::with_query(&format!("{}/console/live", call.server.base), &own);
    frame(call, subject, fleet::short_id(id)).live(live)
}

/// What `hpdl info --json` says of a job, or `null` and why not: the rest of a page is there then.
pub(crate) fn info(call: &Call, subject: &Subject) -> (Value, Option<String>) {
    match fleet::info_json(&call.server.session, &subject.job) {
        Ok(info) => (info, None),
        Err(error) => (Value::Null, Some(subject.masks.text(&error.message))),
    }
}

/// As [`frame`], for what is below the job's own page.
pub(crate) fn frame_below(call: &Call, subject: &Subject, title: &str) -> Frame {
    let id = &subject.job.id;
    let trail = frame(call, subject, title);
    trail.below(fleet::short_id(id), links::job(&call.server.base, id))
}
