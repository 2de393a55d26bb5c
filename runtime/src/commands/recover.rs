//! `recover`: jobs whose owner died go on.

use std::{os::unix::process::CommandExt, process::Command};

use clap::Args;

use crate::{
    commands::{find_job, progress, report, run::conclude, say},
    engine::{Ended, Signals},
    exit::{Exit, RunError},
    owner::Session,
    store::{
        JobRow,
        query::{self, Door},
    },
};

#[derive(Debug, Args)]
pub(super) struct Recover {
    /// The job; without it, every job that needs an owner
    id: Option<String>,
    /// Print events, then the jobs, as JSON
    #[arg(long)]
    json: bool,
}

impl Recover {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        match &self.id {
            Some(id) => self.recover_one(session, id),
            None => self.recover_all(session),
        }
    }

    fn recover_one(&self, session: &Session, id: &str) -> Result<Exit, RunError> {
        let job = find_job(session, id)?;
        let root = find_job(session, &job.root_id)?;
        let connection = session.store()?;
        let unfinished =
            query::unfinished_roots(&connection).map_err(|error| session.describe(error))?;
        if !unfinished.iter().any(|row| row.id == root.id) {
            return conclude(session, &Ended::of(root), self.json);
        }
        match self.drive(session, &root)? {
            Some(exit) => Ok(exit),
            None => Err(RunError::usage(format!(
                "job {} has an owner: process {}",
                root.id,
                session.owner_pid(&root.id)?.unwrap_or_default()
            ))
            .with_help(format!(
                "nothing is to be done; watch it with: info {}",
                root.id
            ))),
        }
    }

    fn recover_all(&self, session: &Session) -> Result<Exit, RunError> {
        let connection = session.store()?;
        let unfinished =
            query::unfinished_roots(&connection).map_err(|error| session.describe(error))?;
        let mut worst = Exit::Success;
        let mut n_driven = 0;
        for root in unfinished {
            let exit = match self.drive(session, &root) {
                Ok(Some(exit)) => exit,
                Ok(None) => continue,
                // One job that cannot be driven must not keep the others from it.
                Err(error) if error.exit == Exit::Usage => {
                    report(&error);
                    error.exit
                }
                Err(error) => return Err(error),
            };
            n_driven += 1;
            if exit as u8 > worst as u8 {
                worst = exit;
            }
        }
        if n_driven == 0 && !self.json {
            say("no job needs recovery");
        }
        Ok(worst)
    }

    /// Drives one job tree to its end; `None` where a living process does.
    fn drive(&self, session: &Session, root: &JobRow) -> Result<Option<Exit>, RunError> {
        if root.hash != session.program.hash {
            return drive_by_its_own(session, root, &["recover"], self.json).map(Some);
        }
        let Some(ownership) = session.own(&root.id)? else {
            return Ok(None);
        };
        if !self.json {
            say(&format!("recovering job {} ({})", root.id, root.app));
        }
        let ended = session.drive(
            ownership,
            true,
            None,
            progress(self.json),
            Signals::of_program,
        )?;
        conclude(session, &ended, self.json).map(Some)
    }
}

/// Lets the executable that a job belongs to drive it: only that one knows its nodes.
pub(super) fn drive_by_its_own(
    session: &Session,
    root: &JobRow,
    command: &[&str],
    json: bool,
) -> Result<Exit, RunError> {
    let connection = session.store()?;
    let definition =
        query::definition(&connection, &root.hash).map_err(|error| session.describe(error))?;
    if let Some(definition) = definition.filter(|definition| definition.door == Door::Library) {
        return Err(RunError::usage(format!(
            "job {} belongs to a workflow inside the program {}",
            root.id, definition.program
        ))
        .with_help("that program recovers its own jobs"));
    }
    let kept = session.home.bin().join(&root.hash);
    let status = Command::new(&kept)
        .arg0(&root.app)
        .args(command)
        .arg(&root.id)
        .args(json.then_some("--json"))
        .status()
        .map_err(|error| {
            RunError::machine(format!(
                "job {} belongs to another executable ({}), which cannot be run: {}: {error}",
                root.id,
                root.app,
                kept.display()
            ))
        })?;
    Ok(match status.code() {
        Some(0) => Exit::Success,
        Some(1) => Exit::Killed,
        Some(2) => Exit::Usage,
        Some(3) => Exit::Failed,
        Some(4) => Exit::Suspended,
        Some(_) | None => Exit::Machine,
    })
}
