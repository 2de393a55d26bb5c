//! The job that a page is about, and the trail that leads to the page.

use hpdlc_host::job_id::JobKind;
use hpdlc_runtime::fleet::{self, Masks};
use hpdlc_store::{ActionRow, JobRow};
use rusqlite::Connection;

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
    /// In the order in which the run has reached them.
    pub(crate) rows: Vec<ActionRow>,
}

/// The job of a page.
///
/// # Errors
///
/// E0604 if there is none.
pub(crate) fn of(call: &Call, connection: &Connection, id: &str) -> Result<Subject, Failure> {
    let job = found::expect_job(call, connection, id)?;
    let masks = call.server.mask(connection, &job)?;
    let rows = match JobKind::of(&job.id) {
        JobKind::Workflow => fleet::reached_nodes(&call.server.session, &job)?,
        JobKind::Coordinator | JobKind::Bundle => Vec::new(),
    };
    Ok(Subject { job, masks, rows })
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

/// As [`frame`], for what is below the job's own page.
pub(crate) fn frame_below(call: &Call, subject: &Subject, title: &str) -> Frame {
    let id = &subject.job.id;
    let trail = frame(call, subject, title);
    trail.below(fleet::short_id(id), links::job(&call.server.base, id))
}
