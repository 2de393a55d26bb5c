//! `own`: the hidden command of detached owners. What it says goes to the log that it was given.

use clap::Args;

use crate::{
    commands::{find_job, run::conclude},
    detached,
    engine::Signals,
    exit::{Exit, RunError},
    ids, inherited,
    owner::Session,
    progress::Silent,
    store::JobRow,
};

#[derive(Debug, Args)]
pub(super) struct Own {
    /// The job at the top
    id: String,
}

/// A workflow that went on by itself, after its coordinator had let go of it, tells that how it ended.
fn wake_coordinator(session: &Session, job: &JobRow) {
    let Some((id, _)) = job.parent_id.as_deref().and_then(ids::coordinator_action) else {
        return;
    };
    let Ok(coordinator) = find_job(session, id) else {
        return;
    };
    if !coordinator.status.is_terminal() && !session.has_owner(id) {
        // Where it cannot be started, `recover` does it.
        let _ = detached::start(session, &coordinator);
    }
}

impl Own {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        inherited::shed();
        // No terminal's Ctrl-C and no hang-up reach it. Where it leads a group already it has a session of its own.
        let _ = rustix::process::setsid();
        let root = find_job(session, &self.id)?;
        let Some(ownership) = session.own(&root.id)? else {
            // Somebody was faster, and finds the command as well as we.
            return Ok(Exit::Success);
        };
        let ended = session.drive(ownership, true, Box::new(Silent), Signals::of_program)?;
        wake_coordinator(session, &ended.job);
        conclude(session, &ended, false)
    }
}
