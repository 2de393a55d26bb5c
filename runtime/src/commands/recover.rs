//! `recover`: continues jobs whose owner has died.

use std::os::unix::process::CommandExt;
use std::process::Command;

use clap::Args;
use hpdlc_core::status::JobStatus;
use hpdlc_engine::{
    engine::{JobCompletion, Signals},
    notify::sender_process,
    owner::Session,
    registry,
};
use hpdlc_host::{
    clock,
    exit::{Exit, RunError},
};
use hpdlc_store::{JobRow, query};

use crate::commands::{
    conclude::conclude,
    find_job, progress_of, say,
    supervise::{self, SupervisorEnd},
};

#[derive(Debug, Args)]
pub struct Recover {
    /// The job, by id or number; without it, every job that needs an owner
    id: Option<String>,
    /// Keep running, and recover every job whose process dies
    #[arg(long, conflicts_with_all = ["id", "json"])]
    watch: bool,
    /// Print events, then the jobs, as JSON
    #[arg(long)]
    json: bool,
}

impl Recover {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        if let Some(id) = &self.id {
            // Checked before notifications are sent: a refused command has no effect.
            find_job(session, id)?;
        }
        let n_told = sender_process::take_up(session)?;
        if n_told > 0 && !self.json {
            say("sending the outstanding notifications of jobs that have ended");
        }
        match &self.id {
            Some(id) => self.recover_one(session, id),
            None if self.watch => supervise::supervise(session, SupervisorEnd::Stopped),
            None => self.recover_all(session),
        }
    }

    fn recover_one(&self, session: &Session, id: &str) -> Result<Exit, RunError> {
        let job = find_job(session, id)?;
        let root = find_job(session, &job.root_id)?;
        match go_on(session, &root, self.json)? {
            Some(exit) => Ok(exit),
            None => Err(RunError::usage(format!(
                "job {} has an owner: {}",
                root.id,
                session.owner(&root.id)?
            ))
            .with_help(format!("nothing to do; follow it with: watch {}", root.id))),
        }
    }

    /// A single job is driven here, several by one process each.
    fn recover_all(&self, session: &Session) -> Result<Exit, RunError> {
        let ownerless = session.ownerless()?;
        match ownerless.as_slice() {
            [] => {}
            [root] => {
                if let Some(exit) = drive(session, root, self.json)? {
                    return Ok(exit);
                }
            }
            _ => return supervise::supervise(session, SupervisorEnd::Idle { json: self.json }),
        }
        if !self.json {
            say("no job needs recovery");
        }
        Ok(Exit::Success)
    }
}

/// Drives the tree of a job if it is unfinished, and reports how it ended; `None` if a living process drives it.
pub(super) fn go_on(
    session: &Session,
    root: &JobRow,
    json: bool,
) -> Result<Option<Exit>, RunError> {
    let connection = session.store()?;
    let unfinished = query::unfinished_roots(&connection, clock::now_millis())
        .map_err(|error| session.describe(error))?;
    if unfinished.iter().any(|row| row.id == root.id) {
        return drive(session, root, json);
    }
    if root.status == JobStatus::Prep {
        return Err(
            RunError::usage(format!("job {} is PREP: it was not started", root.id))
                .with_help(format!("type: start {}", root.id)),
        );
    }
    conclude(session, &JobCompletion::of(root.clone()), json).map(Some)
}

/// Drives one job tree to its end; `None` if a living process does.
fn drive(session: &Session, root: &JobRow, json: bool) -> Result<Option<Exit>, RunError> {
    if root.hash != session.program.hash {
        let program = registry::program_of(session, root)?;
        let error = Command::new(&program)
            .arg0(&root.app)
            .args(["recover", &root.id])
            .args(json.then_some("--json"))
            .exec();
        return Err(RunError::machine(format!("{}: {error}", program.display())));
    }
    let Some(ownership) = session.own(&root.id)? else {
        return Ok(None);
    };
    if !json {
        say(&format!("recovering job {} ({})", root.id, root.app));
    }
    let progress = progress_of(session, root, json);
    let ended = session.drive(ownership, true, progress, Signals::of_program)?;
    conclude(session, &ended, json).map(Some)
}
