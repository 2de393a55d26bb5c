//! Looks up jobs by the whole ids that requests have, and makes their JSON.

use hpdlc_host::job_id::{self, JobKind};
use hpdlc_program::coordinator_texts::CoordinatorTexts;
use hpdlc_runtime::fleet::Masks;
use hpdlc_store::{
    JobRow,
    coordinators::{self, CoordinatorActionRow},
    query,
    sql::Connection,
};

use crate::{
    api::{
        bundle::BundleJob,
        coordinator::{CoordinatorAction, CoordinatorJob},
        workflow::WorkflowJob,
    },
    serve::{
        call::Call,
        failure::Failure,
        listing,
        wire::{coordinator::Coordinator, workflow::JobFacts},
    },
};

/// What an id names, by its form alone (`BaseJobServlet` and `RestConstants`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named<'a> {
    Workflow(&'a str),
    WorkflowAction(&'a str, &'a str),
    Coordinator(&'a str),
    CoordinatorAction(&'a str, u64),
    Bundle(&'a str),
    /// A coordinator's action without a number.
    NoAction(&'a str),
    /// No id of a job.
    Other,
}

/// The form of an id.
pub(crate) fn named(id: &str) -> Named<'_> {
    if let Some((job, node)) = id.split_once('@') {
        return match job_id::coordinator_action(id) {
            Some((job, number)) if job.ends_with("-C") => Named::CoordinatorAction(job, number),
            _ if job.ends_with("-W") => Named::WorkflowAction(job, node),
            _ if job.ends_with("-C") => Named::NoAction(id),
            _ => Named::Other,
        };
    }
    match id {
        _ if id.ends_with("-W") => Named::Workflow(id),
        _ if id.ends_with("-C") => Named::Coordinator(id),
        _ if id.ends_with("-B") => Named::Bundle(id),
        _ => Named::Other,
    }
}

/// The job with exactly this id.
pub(crate) fn job(
    call: &Call,
    connection: &Connection,
    id: &str,
) -> Result<Option<JobRow>, Failure> {
    query::job(connection, id).map_err(|error| call.server.failed(error))
}

/// # Errors
///
/// E0604 if there is none.
pub(crate) fn expect_job(
    call: &Call,
    connection: &Connection,
    id: &str,
) -> Result<JobRow, Failure> {
    job(call, connection, id)?.ok_or_else(|| Failure::no_job(id))
}

/// An action of a coordinator, with the coordinator.
///
/// # Errors
///
/// E0605 if there is none.
pub(crate) fn expect_action(
    call: &Call,
    connection: &Connection,
    id: &str,
    number: u64,
) -> Result<(JobRow, CoordinatorActionRow), Failure> {
    let missing = || Failure::no_action(&format!("{id}@{number}"));
    let job = job(call, connection, id)?.ok_or_else(missing)?;
    let action = coordinators::action(connection, id, number);
    let action = action.map_err(|error| call.server.failed(error))?;
    Ok((job, action.ok_or_else(missing)?))
}

/// The state of a job in the terms of its kind.
pub(crate) fn status(
    call: &Call,
    connection: &Connection,
    job: &JobRow,
) -> Result<String, Failure> {
    let own = coordinators::status(connection, &job.id);
    let own = own.map_err(|error| call.server.failed(error))?;
    Ok(own.unwrap_or_else(|| job.status.name().to_owned()))
}

/// A workflow as an element of a list.
pub(crate) fn listed_workflow(
    call: &Call,
    connection: &Connection,
    job: &JobRow,
) -> Result<WorkflowJob, Failure> {
    with_facts(call, connection, job, |facts| {
        WorkflowJob::listed(job, facts)
    })
}

/// What is said of a workflow job beside its row.
pub(crate) fn with_facts<T>(
    call: &Call,
    connection: &Connection,
    job: &JobRow,
    make: impl FnOnce(&JobFacts<'_>) -> T,
) -> Result<T, Failure> {
    let changed = listing::changed(connection, &job.id);
    let mask = call.server.mask(connection, job)?;
    Ok(make(&JobFacts {
        zone: &call.zone,
        mask: &mask,
        changed: changed.map_err(|error| call.server.failed(error))?,
        url: &call.server.url,
    }))
}

/// Makes something of the rows of a coordinator.
pub(crate) fn with_coordinator<T>(
    call: &Call,
    connection: &Connection,
    job: &JobRow,
    make: impl FnOnce(&Coordinator<'_>) -> T,
) -> Result<T, Failure> {
    let failed = |error| call.server.failed(error);
    let row = coordinators::coordinator(connection, &job.id).map_err(failed)?;
    let row = row.ok_or_else(|| Failure::no_job(&job.id))?;
    let revisions = coordinators::revisions(connection, &job.id).map_err(failed)?;
    let texts: CoordinatorTexts = revisions
        .last()
        .and_then(|last| serde_json::from_str(&last.texts).ok())
        .unwrap_or_default();
    let mask = call.server.mask(connection, job)?;
    Ok(make(&Coordinator {
        job,
        row: &row,
        texts: &texts,
        mask: &mask,
    }))
}

/// A coordinator as an element of a list.
pub(crate) fn listed_coordinator(
    call: &Call,
    connection: &Connection,
    job: &JobRow,
) -> Result<CoordinatorJob, Failure> {
    with_coordinator(call, connection, job, |of| {
        CoordinatorJob::listed(of, &call.zone)
    })
}

/// A bundle, with its coordinators if `is_whole`.
pub(crate) fn bundle(
    call: &Call,
    connection: &Connection,
    job: &JobRow,
    is_whole: bool,
) -> Result<BundleJob, Failure> {
    let failed = |error| call.server.failed(error);
    let row = coordinators::bundle(connection, &job.id).map_err(failed)?;
    let row = row.ok_or_else(|| Failure::no_job(&job.id))?;
    let mut members = Vec::new();
    if is_whole {
        for id in coordinators::coordinators_of(connection, &job.id).map_err(failed)? {
            let member = expect_job(call, connection, &id)?;
            let member = with_coordinator(call, connection, &member, |of| {
                CoordinatorJob::whole(of, &call.zone, 0, Vec::new())
            })?;
            members.push(member);
        }
    }
    let mask = call.server.mask(connection, job)?;
    Ok(BundleJob::of(job, &row, members, &call.zone, &mask))
}

/// Actions of a coordinator, with what those that wait wait for.
pub(crate) fn actions(
    call: &Call,
    job: &JobRow,
    rows: &[CoordinatorActionRow],
    mask: &Masks,
) -> Result<Vec<CoordinatorAction>, Failure> {
    let waits = |row: &&CoordinatorActionRow| row.record.status.name() == "WAITING";
    let numbers: Vec<u64> = rows
        .iter()
        .filter(waits)
        .map(|row| row.record.number)
        .collect();
    let missing = missing(call, job, &numbers)?;
    let none = Vec::new();
    Ok(rows
        .iter()
        .map(|row| {
            let missing = missing
                .iter()
                .find(|(number, _)| *number == row.record.number);
            let uris: Vec<String> = missing
                .map_or(&none, |(_, missing)| missing)
                .iter()
                .map(|missing| missing.uri.clone())
                .collect();
            CoordinatorAction::of(job, row, &uris, &call.zone, mask)
        })
        .collect())
}

/// Data that an action waits for.
#[derive(Clone, Debug)]
pub(crate) struct MissingData {
    pub(crate) dataset: String,
    pub(crate) uri: String,
}

/// What actions of a coordinator wait for.
pub(crate) fn missing(
    call: &Call,
    job: &JobRow,
    numbers: &[u64],
) -> Result<Vec<(u64, Vec<MissingData>)>, Failure> {
    if numbers.is_empty() {
        return Ok(Vec::new());
    }
    let found = hpdlc_runtime::fleet::missing_data(&call.server.session, job, numbers)?;
    let data = |(dataset, uri): (String, String)| MissingData { dataset, uri };
    Ok(found
        .into_iter()
        .map(|(number, missing)| (number, missing.into_iter().map(data).collect()))
        .collect())
}

/// The kind of jobs that `jobtype` names: a prefix of `wf`, `coord`, `bundle` (`V1JobsServlet`).
pub(crate) fn kind_of(jobtype: &str) -> Option<JobKind> {
    if jobtype.contains("wf") {
        Some(JobKind::Workflow)
    } else if jobtype.contains("coord") {
        Some(JobKind::Coordinator)
    } else if jobtype.contains("bundle") {
        Some(JobKind::Bundle)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_says_what_it_names() {
        for (id, expected) in [
            ("1-W", Named::Workflow("1-W")),
            ("1-W@a", Named::WorkflowAction("1-W", "a")),
            ("1-C", Named::Coordinator("1-C")),
            ("1-C@7", Named::CoordinatorAction("1-C", 7)),
            ("1-C@foo", Named::NoAction("1-C@foo")),
            ("1-C@", Named::NoAction("1-C@")),
            ("1-B", Named::Bundle("1-B")),
            ("1-B@1", Named::Other),
            ("foo", Named::Other),
        ] {
            assert_eq!(named(id), expected, "{id}");
        }
    }
}
