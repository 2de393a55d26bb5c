//! A sub-workflow of another executable: driven by its own owner, and awaited here.
//!
//! A worker process waits; `init` passes it [`carry`].

use std::{
    collections::BTreeMap, fs, path::Path, process::Command, sync::Arc, thread, time::Duration,
};

use hpdlc_core::{configuration, status::JobStatus};
use hpdlc_executors::{
    Work,
    sub_workflow::SubWorkflow,
    worker_process::{WorkContext, WorkError, WorkResult},
};
use hpdlc_host::{exit::RunError, home::Home, property_names::FAIL_NODES, settings};
use hpdlc_launcher::Attempt;
use hpdlc_program::{failure::ActionError, table::Program};
use hpdlc_store::{JobRow, query};

use crate::{
    control, detached_owner,
    job_command::{JobOrder, Verb},
    registry,
    session::Session,
};

/// The polling interval for the child's state.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// How many polls may find a running child without an owner before one is started.
const OWNERLESS_LOOKS: u32 = 20;

/// A worker process has no application of its own: the child's executable does everything.
static NO_PROGRAM: Program = Program {
    hpdlc_version: env!("CARGO_PKG_VERSION"),
    hash: "",
    entry: hpdlc_program::table::Entry::Workflow,
    coordinators: &[],
    apps: &[],
    children: &[],
    files: &[],
};

/// Carries out a sub-workflow of another executable; `None` if the work is of another type.
pub fn carry(work: &Work, context: &WorkContext<'_>) -> Option<Result<WorkResult, WorkError>> {
    work.child().map(|child| see_through(child, context))
}

/// Ends what an attempt has started elsewhere, including a child. Blocks.
///
/// # Errors
///
/// Why it may go on, as a message for the user.
pub fn end(work: &Work, home: &Home, job: &str, attempt: &Attempt) -> Result<(), String> {
    match work.child() {
        Some(_) => kill(home, job, attempt),
        None => work.executor().kill_elsewhere(job, attempt),
    }
}

/// Has the child started if necessary, and waits for its end.
fn see_through(child: &SubWorkflow, context: &WorkContext<'_>) -> Result<WorkResult, WorkError> {
    let session = session(&context.home)?;
    let (parent, attempt) = (
        parent_of(&session, context.place.job_id)?,
        number(context.attempt()),
    );
    let children = children(&session, context.place.job_id, context.place.node)?;
    let own = children.iter().find(|row| {
        row.parent_run.unwrap_or_default() == parent.run && row.parent_attempt == Some(attempt)
    });
    let id = match own {
        Some(own) => own.id.clone(),
        // It belongs to the previous run, and is run again.
        None => {
            let former = children
                .iter()
                .max_by_key(|row| (row.parent_run, row.parent_attempt));
            let former = former.ok_or_else(|| {
                ActionError::error(
                    "E0738",
                    "the job of the sub-workflow no longer exists in the store",
                )
            })?;
            rerun(child, &session, context.attempt(), former, &parent, attempt)?;
            former.id.clone()
        }
    };
    await_end(&session, &id)
}

/// Runs the child of the previous run again, for this run of its parent.
fn rerun(
    child: &SubWorkflow,
    session: &Session,
    attempt: &Attempt,
    former: &JobRow,
    parent: &JobRow,
    number: i64,
) -> Result<(), WorkError> {
    let failed = |problem: String| {
        let problem = format!("the sub-workflow {} cannot be rerun: {problem}", former.id);
        WorkError::from(ActionError::error("E0738", problem))
    };
    let mut conf = child.conf.clone();
    conf.insert(FAIL_NODES.to_owned(), "true".to_owned());
    let file = attempt.beside("rerun.xml");
    write(&file, &conf).map_err(failed)?;
    let program = registry::program_of(session, former).map_err(|error| failed(error.message))?;
    let said = Command::new(program)
        .args(["rerun", &former.id, "-c"])
        .arg(&file)
        .arg(format!("--for-parent={}:{number}", parent.run))
        .env("HPDL_HOME", session.home.root())
        .output();
    // It may hold passwords.
    let _ = fs::remove_file(&file);
    match said {
        Ok(said) if said.status.success() => Ok(()),
        Ok(said) => Err(failed(
            String::from_utf8_lossy(&said.stderr).trim().to_owned(),
        )),
        Err(error) => Err(failed(error.to_string())),
    }
}

/// Ends the child of an attempt, if it has one.
fn kill(home: &Home, job: &str, attempt: &Attempt) -> Result<(), String> {
    let session = session(home).map_err(|trouble| words(&trouble))?;
    let node = attempt.folder().parent().and_then(Path::file_name);
    let node = node.unwrap_or_default().to_string_lossy();
    let run = parent_of(&session, job)
        .map_err(|trouble| words(&trouble))?
        .run;
    for child in children(&session, job, &node).map_err(|trouble| words(&trouble))? {
        let is_its = child.parent_run.unwrap_or_default() == run
            && child.parent_attempt == Some(number(attempt));
        if is_its && !child.status.is_terminal() {
            let killed = control::ask(&session, &child, JobOrder::Workflow(Verb::Kill));
            let is_over = || job_of(&session, &child.id).is_ok_and(|row| row.status.is_terminal());
            if let Err(error) = killed
                && !is_over()
            {
                return Err(format!(
                    "the sub-workflow {} continues: {}",
                    child.id, error.message
                ));
            }
        }
    }
    Ok(())
}

fn await_end(session: &Session, id: &str) -> Result<WorkResult, WorkError> {
    let mut n_ownerless = 0;
    loop {
        let child = job_of(session, id)?;
        match child.status {
            JobStatus::Succeeded => {
                return Ok(WorkResult {
                    external_status: child.status.name().to_owned(),
                    ..WorkResult::default()
                });
            }
            JobStatus::Killed | JobStatus::Failed => {
                let mut problem = format!("sub-workflow job {id} ended {}", child.status);
                if let Some(message) = message_of(session, &child) {
                    problem.push_str(": ");
                    problem.push_str(&message);
                }
                let status = child.status.name().to_owned();
                return Err(WorkError::Ended(ActionError::error("", problem), status));
            }
            JobStatus::Prep => {
                let asked = control::ask(session, &child, JobOrder::Workflow(Verb::Start));
                // Refused if another process was faster, or if it failed before it started.
                if let Err(error) = asked
                    && job_of(session, id)?.status == JobStatus::Prep
                {
                    let problem = format!("the sub-workflow cannot start: {}", error.message);
                    return Err(ActionError::error("E0738", problem).into());
                }
            }
            JobStatus::Running if session.has_owner(&child.root_id) => n_ownerless = 0,
            JobStatus::Running => {
                n_ownerless += 1;
                if n_ownerless % OWNERLESS_LOOKS == 0 {
                    // Its owner has died. If none can be started now, one may be later.
                    let _ = detached_owner::start(session, &child);
                }
            }
            JobStatus::Suspended => {}
        }
        thread::sleep(LOOK_AGAIN);
    }
}

/// The error message: that of the job's last error if it has none itself.
fn message_of(session: &Session, child: &JobRow) -> Option<String> {
    if child.error_message.is_some() {
        return child.error_message.clone();
    }
    let connection = session.store().ok()?;
    let node = child.last_error_node.as_deref()?;
    query::action(&connection, &child.id, node)
        .ok()??
        .error_message
}

fn session(home: &Home) -> Result<Session, WorkError> {
    let site = settings::site(home).map_err(lost)?;
    Ok(Session {
        program: &NO_PROGRAM,
        home: home.clone(),
        site: Arc::new(site),
    })
}

fn parent_of(session: &Session, id: &str) -> Result<JobRow, WorkError> {
    job_of(session, id)
}

fn job_of(session: &Session, id: &str) -> Result<JobRow, WorkError> {
    let connection = session.store().map_err(lost)?;
    let row = query::job(&connection, id).map_err(|error| lost(session.describe(error)))?;
    row.ok_or_else(|| WorkError::Lost(format!("job {id} no longer exists in the store")))
}

fn children(session: &Session, job: &str, node: &str) -> Result<Vec<JobRow>, WorkError> {
    let connection = session.store().map_err(lost)?;
    query::children_elsewhere(&connection, job, node).map_err(|error| lost(session.describe(error)))
}

/// The child goes on; another process will look for it.
fn lost(error: RunError) -> WorkError {
    WorkError::Lost(error.message)
}

fn words(trouble: &WorkError) -> String {
    match trouble {
        WorkError::Action(error) | WorkError::Ended(error, _) | WorkError::Known(error, _) => {
            error.message.clone()
        }
        WorkError::Lost(problem) => problem.clone(),
    }
}

/// The number of the attempt: the last component of its path.
fn number(attempt: &Attempt) -> i64 {
    let name = attempt.folder().file_name().unwrap_or_default();
    name.to_string_lossy().parse().unwrap_or_default()
}

fn write(path: &Path, conf: &BTreeMap<String, String>) -> Result<(), String> {
    use std::{io::Write, os::unix::fs::OpenOptionsExt};

    let text = configuration::write(conf).map_err(|error| error.to_string())?;
    fs::File::options()
        .create(true)
        .truncate(true)
        .write(true)
        .mode(0o600)
        .open(path)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| format!("{}: {error}", path.display()))
}
