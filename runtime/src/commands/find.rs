//! Resolves a job reference: its id, its number, the name of its application, `last`, or an action of a coordinator.

use hpdlc_engine::owner::Session;
use hpdlc_host::{
    exit::RunError,
    job_id::{self, JobKind},
};
use hpdlc_store::{
    JobRow, coordinators as rows, query,
    sql::{self, Connection},
};

use crate::commands::keep_secrets;

/// What the job argument of a command may be; its help text.
pub(super) const JOB: &str = "The job: its id or number, an application's name (its newest job), `last`, or `8@3` for the workflow of action 3 of coordinator 8";

/// The same for a command that also takes an action of a coordinator.
pub(super) const JOB_OR_ACTION: &str = "The job: its id or number, an application's name (its newest job), `last`, or `8@3` for action 3 of coordinator 8";

/// The word for the newest job of the state folder.
pub(super) const LAST: &str = "last";

/// What a reference refers to.
#[derive(Debug)]
pub(super) enum Subject {
    Job(JobRow),
    /// An action of a coordinator, by its number.
    Action(JobRow, u64),
}

/// Resolves `text`: `17` or `0000017` is the number of a job, `17@3` an action of coordinator 17.
///
/// # Errors
///
/// Exit 2 if there is no such job.
pub(super) fn find_subject(session: &Session, text: &str) -> Result<Subject, RunError> {
    if let Some(job) = look(session, text)? {
        return Ok(Subject::Job(job));
    }
    if let Some((coordinator, number)) = job_id::action(text)
        && let Some(job) = look(session, coordinator)?
    {
        return if JobKind::of(&job.id) == JobKind::Coordinator {
            Ok(Subject::Action(job, number))
        } else {
            Err(RunError::usage(format!(
                "job {} is not a coordinator: it has no action {number}",
                job.id
            ))
            .with_help(format!("type: info {}", job.id)))
        };
    }
    Err(RunError::usage(format!(
        "there is no job {text} in {}",
        session.home.root().display()
    ))
    .with_help(
        "`jobs` lists them; a job is named by its id, its number, its application's name or `last`; \
         HPDL_HOME says which state folder is read",
    ))
}

/// As [`find_subject`]; for an action of a coordinator, the job of its workflow.
///
/// # Errors
///
/// Exit 2 if there is no such job, or the action has no workflow.
pub fn find_job(session: &Session, text: &str) -> Result<JobRow, RunError> {
    let (job, number) = match find_subject(session, text)? {
        Subject::Job(job) => return Ok(job),
        Subject::Action(job, number) => (job, number),
    };
    let connection = session.store()?;
    let action = rows::action(&connection, &job.id, number)
        .map_err(|error| session.describe(error))?
        .ok_or_else(|| no_action(&job, number))?;
    let workflow = match &action.workflow_id {
        Some(id) => query::job(&connection, id).map_err(|error| session.describe(error))?,
        None => None,
    };
    workflow.ok_or_else(|| {
        RunError::usage(format!(
            "action {number} of coordinator {} is {} and has no workflow job",
            job.id, action.record.status
        ))
        .with_help(format!("type: info {}@{number}", job.id))
    })
}

/// The error for a number that no action of the coordinator has ever had.
pub(super) fn no_action(coordinator: &JobRow, number: u64) -> RunError {
    let id = &coordinator.id;
    RunError::usage(format!("coordinator {id} has no action {number} (E0605)"))
        .with_help(format!("`actions {id}` lists them"))
}

fn look(session: &Session, text: &str) -> Result<Option<JobRow>, RunError> {
    let connection = session.store()?;
    let job = named(&connection, text).map_err(|error| session.describe(error))?;
    if let Some(job) = &job {
        keep_secrets(session, &connection, job);
    }
    Ok(job)
}

/// The job that a text refers to, other than as an action.
pub(super) fn named(connection: &Connection, text: &str) -> sql::Result<Option<JobRow>> {
    if let Some(job) = query::job(connection, text)? {
        return Ok(Some(job));
    }
    if let Some(number) = job_id::number(text)
        && let Some(job) = query::job_of_number(connection, number)?
    {
        return Ok(Some(job));
    }
    if text == LAST {
        return query::newest(connection);
    }
    query::newest_of(connection, text)
}
