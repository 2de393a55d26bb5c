//! `kill`: from any terminal.

use clap::Args;

use crate::{
    commands::{find_job, say},
    control::{self, Verb},
    exit::{Exit, RunError},
    owner::Session,
};

#[derive(Debug, Args)]
pub(super) struct Kill {
    /// The job
    id: String,
}

impl Kill {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let job = find_job(session, &self.id)?;
        control::ask(session, &job, Verb::Kill)?;
        // One that had FAILED stays so.
        let status = find_job(session, &job.id)?.status;
        say(&format!("job {} {status}", job.id));
        Ok(Exit::Success)
    }
}
