//! GET `job`: one job, action, or what belongs to it, as `show` says.

use axum::http::Method;
use hpdlc_store::{JobRow, query, runs};

use crate::{
    api::job::{
        AllRuns, Retries, Retry, RunOfWorkflow, StatusOfJob, WorkflowActionOf, WorkflowActions,
    },
    serve::{
        audit_log,
        call::Call,
        commands, dependencies, documents,
        failure::Failure,
        found::{self, Named, named},
        info, listing, logs,
        query::Version,
        reply::{self, Reply},
        selection,
    },
};

/// Of so many actions of a coordinator the workflows are listed.
const MOST_RUNS: usize = 1_000;

/// `BaseJobServlet`.
pub(crate) fn job(call: &Call) -> Reply {
    if call.rest.is_empty() {
        return Err(Failure::argument("id cannot be empty"));
    }
    if call.rest.contains('/') {
        return Err(Failure::resource(&call.rest));
    }
    call.expect_method(&[Method::GET, Method::PUT])?;
    match call.method {
        Method::PUT => commands::put(call),
        _ => show(call),
    }
}

fn show(call: &Call) -> Reply {
    match call.parameters.get("show") {
        None | Some("info") => info::info(call),
        Some("definition") => documents::definition(call),
        Some("graph") => documents::graph(call),
        Some("log") => logs::log(call),
        Some("errorlog") => logs::error_log(call),
        Some("auditlog") => audit_log::audit_log(call),
        Some("status") => status(call),
        Some("retries") => retries(call),
        Some("allruns") => all_runs(call),
        Some("jmstopic") => topic(call),
        Some("missing-dependencies") => dependencies::missing(call),
        Some("wf-actions") => workflow_actions(call),
        Some(other) => Err(Failure::value("show", other)),
    }
}

fn status(call: &Call) -> Reply {
    call.version.expect(Version::V2)?;
    let connection = call.server.store()?;
    let id = match named(&call.rest) {
        Named::Workflow(id) | Named::Coordinator(id) | Named::Bundle(id) => id,
        Named::CoordinatorAction(job, number) => {
            let (_, action) = found::expect_action(call, &connection, job, number)?;
            let status = action.record.status.name().to_owned();
            return reply::json(&StatusOfJob { status });
        }
        Named::WorkflowAction(..) | Named::NoAction(_) | Named::Other => {
            return Err(Failure::server(format!(
                "[{}] has no status of a job",
                call.rest
            )));
        }
    };
    let job = found::job(call, &connection, id)?.ok_or_else(|| Failure::no_action(id))?;
    let status = found::status(call, &connection, &job)?;
    reply::json(&StatusOfJob { status })
}

/// The attempts of an action that were tried again (`WorkflowActionRetryInfoXCommand`). The store has those of former runs of the job.
fn retries(call: &Call) -> Reply {
    call.version.expect(Version::V2)?;
    let Named::WorkflowAction(job, node) = named(&call.rest) else {
        return Err(Failure::no_action(&call.rest));
    };
    let connection = call.server.store()?;
    let failed = |error| call.server.failed(error);
    let action = query::action(&connection, job, node).map_err(failed)?;
    let action = action.ok_or_else(|| Failure::no_action(&call.rest))?;
    let tries = listing::tries(&connection, job, node).map_err(failed)?;
    let retries = tries
        .iter()
        .take(usize::try_from(action.user_retries).unwrap_or_default())
        .enumerate()
        .map(|(index, (started, ended))| Retry {
            attempt: (index + 1).to_string(),
            start_time: call.zone.write(*started),
            end_time: call.zone.maybe(*ended),
            console_url: "-".to_owned(),
            external_child_ids: String::new(),
        })
        .collect();
    reply::json(&Retries { retries })
}

/// The workflows of an action of a coordinator; of a workflow nothing, as Oozie answers.
fn all_runs(call: &Call) -> Reply {
    call.version.expect(Version::V1)?;
    let connection = call.server.store()?;
    let failed = |error| call.server.failed(error);
    let mut ids = Vec::new();
    match named(&call.rest) {
        Named::CoordinatorAction(job, number) => {
            found::expect_action(call, &connection, job, number)?;
            ids.push(call.rest.clone());
        }
        Named::Coordinator(job) if call.parameters.get("type") == Some("action") => {
            let scope = call.parameters.get("scope").unwrap_or_default();
            let numbers = selection::numbers(scope)?.into_iter();
            // More than a page of them is nobody's question.
            let numbers = numbers.flat_map(|(from, to)| from..=to).take(MOST_RUNS);
            ids.extend(numbers.map(|number| format!("{job}@{number}")));
        }
        _ => {}
    }
    let mut workflows = Vec::new();
    for id in ids {
        for job in listing::runs_of_action(&connection, &id).map_err(failed)? {
            for run in runs::former(&connection, &job.id).map_err(failed)? {
                workflows.push(run_of(call, &job, &run.status, run.started, run.ended));
            }
            workflows.push(run_of(
                call,
                &job,
                job.status.name(),
                job.started,
                job.ended,
            ));
        }
    }
    reply::json(&AllRuns { workflows })
}

fn run_of(
    call: &Call,
    job: &JobRow,
    status: &str,
    started: Option<i64>,
    ended: Option<i64>,
) -> RunOfWorkflow {
    RunOfWorkflow {
        id: job.id.clone(),
        status: status.to_owned(),
        start_time: call.zone.maybe(started),
        end_time: call.zone.maybe(ended),
    }
}

/// There is no JMS: as a server of Oozie without `JMSTopicService` answers.
fn topic(call: &Call) -> Reply {
    if call.version == Version::V0 {
        return Err(Failure::coded("E0306", "Invalid parameter"));
    }
    call.version.expect(Version::V2)?;
    Err(Failure::coded(
        "E1602",
        "Cannot retrieve Topic name [JMSTopicService is not initialized. JMS notificationmay not be enabled]",
    ))
}

/// One node of the workflows of all actions of a coordinator (`CoordWfActionInfoXCommand`).
fn workflow_actions(call: &Call) -> Reply {
    if call.version < Version::V2 {
        return Err(Failure::parameter("Not supported in this version"));
    }
    let node = call.parameters.required("action-name")?;
    let connection = call.server.store()?;
    let failed = |error| call.server.failed(error);
    let job = found::expect_job(call, &connection, &call.rest)?;
    let offset = call.parameters.number("offset")?.filter(|it| *it >= 1);
    let len = call.parameters.number("len")?.filter(|it| *it >= 1);
    let filter = listing::ActionFilter::default();
    let page = listing::actions(
        &connection,
        &job.id,
        &filter,
        offset.unwrap_or(1),
        len.unwrap_or(info::MOST_ACTIONS),
    );
    let mut actions = Vec::new();
    for row in page.map_err(failed)?.rows {
        let number = row.record.number;
        let found = match &row.workflow_id {
            Some(workflow) => query::action(&connection, workflow, node).map_err(failed)?,
            None => None,
        };
        let reason = match (&found, &row.workflow_id) {
            (Some(_), _) => None,
            (None, None) => Some(format!(
                "no workflow instance found for the coordinator action {}@{number}",
                job.id
            )),
            (None, Some(workflow)) => Some(format!(
                "no action found with name {node} in workflow {workflow}"
            )),
        };
        let workflow = match (&found, &row.workflow_id) {
            (Some(_), Some(id)) => found::job(call, &connection, id)?,
            _ => None,
        };
        let action = match found.zip(workflow) {
            Some((row, workflow)) => {
                let mask = call.server.mask(&connection, &workflow)?;
                Some(info::action(call, &row, &mask))
            }
            None => None,
        };
        actions.push(WorkflowActionOf {
            action_number: number,
            null_reason: reason,
            action,
        });
    }
    reply::json(&WorkflowActions {
        coord_job_id: job.id,
        actions,
    })
}
