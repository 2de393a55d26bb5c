//! `own`: the hidden command of detached owners. Its output goes to the log file that it was given.

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
        // Detaches from the terminal's Ctrl-C and hang-up. It fails for a process group leader, which already has its own session.
        let _ = rustix::process::setsid();
        let root = find_job(session, &self.id)?;
        let Some(ownership) = session.own(&root.id)? else {
            // Another process was first to become the owner, and will find the command.
            return Ok(Exit::Success);
        };
        let ended = session.drive(ownership, true, Box::new(Silent), Signals::of_program)?;
        conclude(session, &ended, false)
    }
}
