//! A further run of one job, for its two callers: `rerun`, and a coordinator whose action runs again. The preconditions are checked by the
//! owner of the job.

use std::collections::BTreeMap;

use hpdlc_core::status::JobStatus;
use hpdlc_host::{exit::RunError, job_id, settings::Settings};
use hpdlc_store::{JobRow, NewRun, SlaRow, coordinators, query, sql::Connection};

use crate::{
    job::rerun_plan::{self, RerunChoice, RerunPlan},
    job::submission::{self, Submission},
    session::{Ownership, Session},
    sla,
};

/// A prepared rerun of a job.
#[derive(Debug)]
pub struct PreparedRerun {
    /// The new row: PREP, with the next run number.
    pub row: JobRow,
    pub plan: RerunPlan,
    pub choice: RerunChoice,
    slas: Vec<SlaRow>,
}

impl PreparedRerun {
    /// The input of [`runs::begin`](hpdlc_store::runs::begin).
    pub fn new_run(&self) -> NewRun {
        NewRun {
            job: self.row.clone(),
            skipped: self.plan.stored_skips(),
            slas: self.slas.clone(),
        }
    }
}

/// Plans a further run of `job` by the application at `app_index` of this executable, whose files are in `folder`, with the
/// properties `conf`.
///
/// # Errors
///
/// Exit 2 if the properties or the nodes of the last run do not allow it.
pub fn prepare(
    session: &Session,
    connection: &Connection,
    job: &JobRow,
    app_index: usize,
    mut conf: BTreeMap<String, String>,
    folder: &str,
) -> Result<PreparedRerun, RunError> {
    let Some(&app) = session.program.apps.get(app_index) else {
        return Err(RunError::machine(format!(
            "job {} belongs to no application of this executable",
            job.id
        )));
    };
    let choice = rerun_plan::choice(&conf).map_err(RunError::usage)?;
    // The new definition's files are in another folder.
    let old_folder = session.home.apps().join(&job.hash).display().to_string();
    if conf.get(submission::APP_PATH_PROPERTY) == Some(&old_folder) {
        conf.insert(submission::APP_PATH_PROPERTY.to_owned(), folder.to_owned());
    }
    let submission = submission::complete(app, conf, folder, &job.user)?;
    let rows = query::actions(connection, &job.id).map_err(|error| session.describe(error))?;
    let run = job.run + 1;
    let plan = rerun_plan::plan(app, &rows, &choice, run).map_err(RunError::usage)?;
    let settings = Settings {
        conf: &submission.conf,
        site: &session.site,
    };
    let slas = sla::registered(&job.id, &submission.slas, settings);
    let row = JobRow {
        hash: session.program.hash.to_owned(),
        app_index: i64::try_from(app_index).unwrap_or(i64::MAX),
        ..row(job, submission, &plan)
    };
    Ok(PreparedRerun {
        row,
        plan,
        choice,
        slas,
    })
}

/// The row of the run after that of `job`: PREP, without the results of the last run except the last error of a node that is skipped.
pub fn row(job: &JobRow, submission: Submission, plan: &RerunPlan) -> JobRow {
    let last_error_node = job
        .last_error_node
        .clone()
        .filter(|name| plan.skipped.contains_key(name));
    JobRow {
        app: submission.app_name,
        app_path: submission.app_path,
        status: JobStatus::Prep,
        run: job.run + 1,
        started: None,
        ended: None,
        conf: serde_json::to_string(&submission.conf).expect("a map of strings is JSON"),
        last_error_node,
        error_code: None,
        error_message: None,
        ..job.clone()
    }
}

/// What is still alive of a job that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Busy {
    /// Its owner: it ends processes, or drives a sub-workflow.
    Owner,
    /// Processes that its last owner had to end before it died.
    Canceling,
}

/// Whether anything of the last run of a job tree may be alive: the next run would not know of it.
///
/// # Errors
///
/// Exit 5 if the store cannot be read.
pub fn busy(
    session: &Session,
    connection: &Connection,
    root: &str,
) -> Result<Option<Busy>, RunError> {
    if session.has_owner(root) {
        return Ok(Some(Busy::Owner));
    }
    let is_canceling =
        query::is_canceling(connection, root).map_err(|error| session.describe(error))?;
    Ok(is_canceling.then_some(Busy::Canceling))
}

/// Becomes the owner of a job tree of whose last run nothing is alive. What is read afterwards cannot change. Does not wait: the caller may
/// retry.
///
/// # Errors
///
/// Exit 5 if the store cannot be read.
pub fn own(session: &Session, root: &str) -> Result<Result<Ownership, Busy>, RunError> {
    let Some(ownership) = session.own_briefly(root)? else {
        return Ok(Err(Busy::Owner));
    };
    let is_canceling =
        query::is_canceling(&session.store()?, root).map_err(|error| session.describe(error))?;
    Ok(if is_canceling {
        Err(Busy::Canceling)
    } else {
        Ok(ownership)
    })
}

/// The coordinator and the number of the action whose current workflow a job is.
///
/// # Errors
///
/// Exit 2 if the action is not over, so that it runs the workflow itself, or is about to; exit 5 if the store cannot be read.
pub fn action_above(
    session: &Session,
    connection: &Connection,
    job: &JobRow,
) -> Result<Option<(JobRow, u64)>, RunError> {
    let describe = |error| session.describe(error);
    let above = job
        .parent_id
        .as_deref()
        .and_then(job_id::coordinator_action);
    let Some((id, number)) = above else {
        return Ok(None);
    };
    let coordinator = query::job(connection, id).map_err(describe)?;
    let action = coordinators::action(connection, id, number).map_err(describe)?;
    let (Some(coordinator), Some(action)) = (coordinator, action) else {
        return Ok(None);
    };
    if action.workflow_id.as_deref() != Some(&job.id) {
        // It has a new workflow since.
        return Ok(None);
    }
    let record = &action.record;
    if record.is_at_rest() {
        return Ok(Some((coordinator, number)));
    }
    let state = if record.command.is_some() {
        "is still being killed".to_owned()
    } else {
        format!("is {}", record.status)
    };
    Err(RunError::usage(format!(
        "job {} is the workflow of action {number} of coordinator {id}, which {state}; only the workflow of an action that is \
         over can be rerun by itself (E0805)",
        job.id
    ))
    .with_help(format!("follow it with: actions {id}")))
}
