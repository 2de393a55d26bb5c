//! `own`: the hidden command of detached owners. What it says goes to the log that it was given.

use clap::Args;
use hpdlc_engine::{engine::Signals, owner::Session, progress::Silent};
use hpdlc_host::{
    exit::{Exit, RunError},
    inherited_descriptors,
};

use crate::commands::{conclude::conclude, find_job};

#[derive(Debug, Args)]
pub(super) struct Drive {
    /// The job at the top
    id: String,
}

impl Drive {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        inherited_descriptors::shed();
        // No terminal's Ctrl-C and no hang-up reach it. Where it leads a group already it has a session of its own.
        let _ = rustix::process::setsid();
        let root = find_job(session, &self.id)?;
        let Some(ownership) = session.own(&root.id)? else {
            // Somebody was faster, and finds the command as well as we.
            return Ok(Exit::Success);
        };
        let ended = session.drive(ownership, true, Box::new(Silent), Signals::of_program)?;
        conclude(session, &ended, false)
    }
}
