//! What became of the command that the reader has just given: `?after=TIME` of its entry in the audit.

use hpdlc_host::{clock, job_id::JobKind};
use hpdlc_store::{
    audit::{self, AuditRow},
    sql::Connection,
};
use serde_json::{Value, json};

use crate::serve::{
    call::Call,
    console::{plan, subject::Subject, templates},
    failure::Failure,
    found,
};

/// How long a page says it, in milliseconds.
const RECENT: i64 = 10 * 60 * 1_000;

/// The notice above the head of a job; empty without a command.
pub(crate) fn of_job(
    call: &Call,
    connection: &Connection,
    subject: &Subject,
) -> Result<String, Failure> {
    let job = &subject.job;
    let is_own = |row: &AuditRow| row.job_id.as_deref() == Some(&job.id);
    let Some(row) = entry(call, connection, is_own)? else {
        return Ok(String::new());
    };
    let status = found::status(call, connection, job)?;
    let kind = JobKind::of(&job.id).word();
    let run = match job.run {
        0 => String::new(),
        run => format!(" in run {run}"),
    };
    let message = row.message.as_deref().map(|text| subject.masks.text(text));
    notice(
        &row,
        Some(&row.operation),
        message,
        json!({
            "now": format!("The {kind} is {status}{run}."),
            "undo": plan::undo(&call.server.base, job, &status, &row.operation),
        }),
    )
}

/// The notice above the head of an application; empty without a command.
pub(crate) fn of_application(
    call: &Call,
    connection: &Connection,
    name: &str,
) -> Result<String, Failure> {
    let is_own = |row: &AuditRow| row.operation == "apps" && row.app.as_deref() == Some(name);
    match entry(call, connection, is_own)? {
        None => Ok(String::new()),
        Some(row) => {
            let message = row.message.clone();
            let further = json!({ "now": null, "undo": null });
            notice(&row, row.parameter.as_deref(), message, further)
        }
    }
}

/// The entry of the command, if it is a recent one that the page is about.
fn entry(
    call: &Call,
    connection: &Connection,
    is_own: impl Fn(&AuditRow) -> bool,
) -> Result<Option<AuditRow>, Failure> {
    let time = call.parameters.filled("after");
    let Some(time) = time.and_then(|time| time.parse::<i64>().ok()) else {
        return Ok(None);
    };
    let at = audit::at(connection, time).map_err(|error| call.server.failed(error))?;
    let is_recent = clock::now_millis() - time < RECENT;
    Ok(at.into_iter().find(is_own).filter(|_| is_recent))
}

fn notice(
    row: &AuditRow,
    operation: Option<&str>,
    message: Option<String>,
    further: Value,
) -> Result<String, Failure> {
    let mut values = further;
    values["operation"] = json!(operation);
    values["time"] = json!(row.time);
    values["done"] = json!(row.status == Some(200));
    values["message"] = json!(message);
    templates::render("after", &values)
}
