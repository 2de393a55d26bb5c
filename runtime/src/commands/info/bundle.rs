//! `info` of bundles: each of their coordinators, with its state.

use hpdlc_engine::owner::Session;
use hpdlc_host::{clock, exit::RunError};
use hpdlc_scheduler::{
    bundle::{SubmittedBundle, SubmittedCoordinator},
    coordinator::submission,
};
use hpdlc_store::{JobRow, coordinators as rows, coordinators::BundleRow, sql::Connection};
use serde_json::{Value, json};

use crate::{
    commands::{
        find_job,
        info::{self, columns::Columns, format_age, format_local, scheduled},
    },
    masks::Masks,
};

fn read(
    session: &Session,
    connection: &Connection,
    job: &JobRow,
) -> Result<(BundleRow, SubmittedBundle), RunError> {
    let row = rows::bundle(connection, &job.id)
        .map_err(|error| session.describe(error))?
        .ok_or_else(|| RunError::machine(format!("bundle {} is no longer in the store", job.id)))?;
    let submitted = serde_json::from_str(&row.state)
        .map_err(|error| RunError::machine(format!("bundle {} cannot be read: {error}", job.id)))?;
    Ok((row, submitted))
}

/// `info --json`: each coordinator as in its own `info`, under `coordinators`.
pub(super) fn to_json(session: &Session, job: &JobRow) -> Result<Value, RunError> {
    let connection = session.store()?;
    let (row, submitted) = read(session, &connection, job)?;
    let zone = submission::processing_zone(&session.site)?;
    let conf = serde_json::from_str(&job.conf).unwrap_or_default();
    let masks = Masks::of(session, job)?;
    let mut value = info::job_json(job);
    value["status"] = row.status.name().into();
    value["conf"] = json!(masks.properties(&conf));
    value["kick_off_time"] = row.kick_off.map(|time| zone.write(time)).into();
    value["pause_time"] = row.pause_time.map(|time| zone.write(time)).into();
    if let Some((code, message)) = submitted.error() {
        value["error_code"] = code.as_str().into();
        value["error_message"] = message.as_str().into();
    }
    let mut coordinators = Vec::new();
    for coordinator in &submitted.coordinators {
        let mut shown = match &coordinator.job {
            Some(id) => scheduled::to_json(session, &find_job(session, id)?)?,
            None => json!({ "id": null, "status": null, "actions": [] }),
        };
        shown["name"] = coordinator.name.as_str().into();
        coordinators.push(shown);
    }
    value["coordinators"] = coordinators.into();
    value["actions"] = json!([]);
    masks.json(&mut value);
    Ok(value)
}

/// `info` as text.
pub(super) fn to_text(session: &Session, job: &JobRow) -> Result<String, RunError> {
    let connection = session.store()?;
    let (row, submitted) = read(session, &connection, job)?;
    let zone = submission::processing_zone(&session.site)?;
    let masks = Masks::of(session, job)?;
    let mut text = format!(
        "Bundle     {}\nName       {}\nStatus     {}",
        job.id,
        job.app,
        info::painted(row.status.name())
    );
    text.push_str(&info::driven_by(session, job)?);
    text.push_str(&format!(
        "\nUser       {}\nCreated    {}  {} ago\n",
        job.user,
        format_local(Some(job.created)),
        format_age(clock::now_millis() - job.created),
    ));
    text.push_str(&info::key_line(job, 11));
    for (what, time) in [("Kick-off", row.kick_off), ("Pause", row.pause_time)] {
        if let Some(time) = time {
            text.push_str(&format!("{what:<10} {}\n", zone.write(time)));
        }
    }
    if let Some((code, message)) = submitted.error() {
        text.push_str(&format!("Message    {code}: {message}\n"));
    }
    let mut columns = Columns::new(&["COORDINATOR", "STATUS", "ACTIONS", "JOB"]).states(1);
    for coordinator in &submitted.coordinators {
        columns.row(columns_of(session, &connection, coordinator)?);
    }
    text.push_str(&format!("\n{}", columns.text()));
    if let Some(next) = scheduled::next_step(session, job)? {
        text.push_str(&format!("\n{next}\n"));
    }
    Ok(masks.text(&text))
}

fn columns_of(
    session: &Session,
    connection: &Connection,
    coordinator: &SubmittedCoordinator,
) -> Result<Vec<String>, RunError> {
    let describe = |error| session.describe(error);
    let name = coordinator.name.clone();
    let Some(id) = &coordinator.job else {
        return Ok(vec![name, "-".to_owned(), "-".to_owned(), "-".to_owned()]);
    };
    let status = rows::status(connection, id).map_err(describe)?;
    let counts = rows::counts(connection, id).map_err(describe)?;
    let counted = scheduled::counted(&counts);
    let status = status.unwrap_or_else(|| "-".to_owned());
    Ok(vec![name, status, counted, id.clone()])
}
