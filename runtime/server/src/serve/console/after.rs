//! What became of the command that the reader has just given: `?after=TIME` of its entry in the audit.

use hpdlc_host::{clock, job_id::JobKind};
use hpdlc_store::audit;
use rusqlite::Connection;
use serde_json::json;

use crate::serve::{
    call::Call,
    console::{plan, subject::Subject, templates},
    failure::Failure,
    found,
};

/// How long a page says it, in milliseconds.
const RECENT: i64 = 10 * 60 * 1_000;

/// The notice above the head of a job; empty without a command.
pub(crate) fn html(
    call: &Call,
    connection: &Connection,
    subject: &Subject,
) -> Result<String, Failure> {
    let Some(time) = call.parameters.filled("after") else {
        return Ok(String::new());
    };
    let job = &subject.job;
    let all = audit::of_job(connection, &job.id).map_err(|error| call.server.failed(error))?;
    let found = all.into_iter().find(|row| row.time.to_string() == time);
    let Some(row) = found.filter(|row| clock::now_millis() - row.time < RECENT) else {
        return Ok(String::new());
    };
    let status = found::status(call, connection, job)?;
    let kind = JobKind::of(&job.id).word();
    let run = match job.run {
        0 => String::new(),
        run => format!(" in run {run}"),
    };
    templates::render(
        "after",
        &json!({
            "operation": row.operation,
            "time": row.time,
            "done": row.status == Some(200),
            "message": row.message.as_deref().map(|text| subject.masks.text(text)),
            "now": format!("The {kind} is {status}{run}."),
            "undo": plan::undo(&call.server.base, job, &status, &row.operation),
        }),
    )
}
