//! `jobs`: lists of jobs, jobs by their external id, new jobs, and commands for all jobs that match a filter.

use axum::http::Method;
use hpdlc_host::job_id::JobKind;

use crate::{
    api::jobs::{BundleJobs, CoordinatorJobs, JobId, WorkflowJobs},
    serve::{
        access, audit, bulk,
        call::Call,
        commands::{self, Plain},
        failure::Failure,
        filter::{self, Filter, WrongFilter},
        found, listing,
        query::Version,
        reply::{self, Reply},
        submit,
    },
};

/// `V0JobsServlet`, `V1JobsServlet`, `V2JobsServlet`.
pub(crate) fn jobs(call: &Call) -> Reply {
    call.expect_method(&[Method::GET, Method::POST, Method::PUT])?;
    match call.method {
        Method::GET => list(call),
        Method::POST => submit::submit(call),
        _ => command_all(call),
    }
}

/// Offset and length, with the defaults of Oozie.
pub(crate) fn page(call: &Call) -> Result<(i64, i64), Failure> {
    let offset = call.parameters.number("offset")?.filter(|it| *it >= 1);
    let len = call.parameters.number("len")?.filter(|it| *it >= 1);
    Ok((offset.unwrap_or(1), len.unwrap_or(50)))
}

fn list(call: &Call) -> Reply {
    let (offset, len) = page(call)?;
    // Version 0 knows workflows alone.
    let jobtype = match call.version {
        Version::V0 => "wf",
        Version::V1 | Version::V2 => call.parameters.get("jobtype").unwrap_or("wf"),
    };
    let kind = found::kind_of(jobtype);
    if let Some(id) = call.parameters.get("external-id") {
        let connection = call.server.store()?;
        return match kind {
            Some(JobKind::Workflow) => {
                let found = listing::of_external_id(&connection, id);
                let found = found.map_err(|error| call.server.failed(error))?;
                let id = Some(found.unwrap_or_default());
                reply::json(&JobId::from(id))
            }
            _ => reply::json(&JobId::default()),
        };
    }
    if call.version > Version::V0
        && let Some(text) = call.parameters.get("bulk")
    {
        return bulk::list(call, text, offset, len);
    }
    let kind =
        kind.ok_or_else(|| Failure::server(format!("no jobs are of the type [{jobtype}]")))?;
    let filter = filter::parse(call.parameters.get("filter").unwrap_or_default(), kind)?;
    page_of(call, kind, &filter, offset, len, None)
}

/// A page of jobs, as Oozie wraps it; with `ids` in the answer to a command.
fn page_of(
    call: &Call,
    kind: JobKind,
    filter: &Filter,
    offset: i64,
    len: i64,
    ids: Option<Vec<String>>,
) -> Reply {
    let connection = call.server.store()?;
    let page = listing::jobs(&connection, kind, filter, offset, len);
    let page = page.map_err(|error| call.server.failed(error))?;
    let total = page.total;
    let rows = page.rows.iter();
    match kind {
        JobKind::Workflow => {
            let jobs = rows.map(|job| found::listed_workflow(call, &connection, job));
            let workflows = jobs.collect::<Result<_, Failure>>()?;
            reply::json(&WorkflowJobs {
                total,
                offset,
                len,
                workflows,
                ids,
            })
        }
        JobKind::Coordinator => {
            let jobs = rows.map(|job| found::listed_coordinator(call, &connection, job));
            let coordinatorjobs = jobs.collect::<Result<_, Failure>>()?;
            reply::json(&CoordinatorJobs {
                total,
                offset,
                len,
                coordinatorjobs,
                ids,
            })
        }
        JobKind::Bundle => {
            let jobs = rows.map(|job| found::bundle(call, &connection, job, false));
            let bundlejobs = jobs.collect::<Result<_, Failure>>()?;
            reply::json(&BundleJobs {
                total,
                offset,
                len,
                bundlejobs,
                ids,
            })
        }
    }
}

/// PUT: a command for every job that matches, then what matches by then (`BulkWorkflowXCommand`).
fn command_all(call: &Call) -> Reply {
    let Some(text) = call.parameters.filled("filter") else {
        return Err(Failure::argument(
            "filter params must be specified for bulk write API",
        ));
    };
    if call.version == Version::V0 {
        return Err(Failure::server(
            "commands for several jobs are not supported in v0",
        ));
    }
    let action = call
        .parameters
        .get("action")
        .ok_or_else(|| Failure::server("the parameter action is missing"))?;
    let verb = match action {
        "kill" => Plain::Kill,
        "suspend" => Plain::Suspend,
        "resume" => Plain::Resume,
        other => return Err(Failure::value("action", other)),
    };
    let jobtype = call
        .parameters
        .get("jobtype")
        .ok_or_else(|| Failure::server("the parameter jobtype is missing"))?;
    let kind = match jobtype {
        "wf" => JobKind::Workflow,
        "bundle" => JobKind::Bundle,
        _ => JobKind::Coordinator,
    };
    let (offset, len) = page(call)?;
    let filter = filter::parse(text, kind).map_err(|wrong| match wrong {
        // In other words than by a list.
        WrongFilter::Name { name, .. } => Failure::coded(
            "E0420",
            format!("Invalid jobs filter [filter name: {name} is invalid], {{1}}"),
        ),
        WrongFilter::Other(failure) => failure,
    })?;
    let matching = {
        let connection = call.server.store()?;
        let page = listing::jobs(&connection, kind, &filter, offset, len);
        page.map_err(|error| call.server.failed(error))?.rows
    };
    // All of them or none.
    for job in &matching {
        access::expect_owner(call, job)?;
    }
    for job in &matching {
        audit::recorded_for(call, job, || commands::plain(call, job, verb))?;
    }
    page_of(call, kind, &filter, offset, len, Some(Vec::new()))
}
