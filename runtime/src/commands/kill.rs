//! `kill`: from any terminal.

use std::{
    thread,
    time::{Duration, Instant},
};

use clap::Args;
use hpdlc_core::step::Event;
use rustix::process::{Pid, Signal, kill_process};

use crate::{
    clock,
    commands::{find_job, recover::drive_by_its_own, say},
    engine::Signals,
    exit::{Exit, RunError},
    owner::Session,
    progress::Silent,
    store::query,
};

/// How often the store is asked whether the owner has done it.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// An owner that has not answered by then is stopped or gone.
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Debug, Args)]
pub(super) struct Kill {
    /// The job
    id: String,
}

impl Kill {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let job = find_job(session, &self.id)?;
        if job.status.is_terminal() {
            return Err(RunError::usage(format!(
                "job {} is {} already (E0725)",
                job.id, job.status
            )));
        }
        let root = find_job(session, &job.root_id)?;
        if let Some(ownership) = session.own(&root.id)? {
            if root.hash != session.program.hash {
                drop(ownership);
                return drive_by_its_own(session, &job, &["kill"], false);
            }
            let kill = Some((job.id.clone(), Event::Kill));
            session.drive(ownership, true, kill, Box::new(Silent), Signals::of_program)?;
            say(&format!("job {} KILLED", job.id));
            return Ok(Exit::Success);
        }
        let connection = session.store()?;
        query::add_command(&connection, &job.id, "kill", clock::now_millis())
            .map_err(|error| session.describe(error))?;
        // Only a hint: the owner looks every second in any case.
        let owner = session.owner_pid(&root.id)?;
        let process = owner
            .and_then(|pid| i32::try_from(pid).ok())
            .and_then(Pid::from_raw);
        // It may have gone meanwhile: then the number is nobody's, or somebody else's.
        if let Some(owner) = process.filter(|_| session.has_owner(&root.id)) {
            let _ = kill_process(owner, Signal::USR1);
        }
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            let now = find_job(session, &job.id)?;
            if now.status.is_terminal() {
                say(&format!("job {} {}", now.id, now.status));
                return Ok(Exit::Success);
            }
            thread::sleep(LOOK_AGAIN);
        }
        Err(RunError::machine(format!(
            "the owner of job {}, process {}, does not answer; the request stands",
            job.id,
            owner.unwrap_or_default()
        ))
        .with_help(format!(
            "see what it does, or end it and then type: recover {}",
            job.id
        )))
    }
}
