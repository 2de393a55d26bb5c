//! `suspend`: keeps a job from starting anything new, from any terminal.

use clap::Args;
use hpdlc_engine::{
    control::{self, Verb},
    owner::Session,
};
use hpdlc_host::exit::{Exit, RunError};

use crate::commands::{find, find_job, order, say, scheduled, shown_status};

#[derive(Debug, Args)]
pub struct Suspend {
    #[arg(help = find::JOB)]
    id: String,
}

impl Suspend {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let job = find_job(session, &self.id)?;
        scheduled::by_its_own_program(session, &job, false)?;
        control::ask(session, &job, order(&job, Verb::Suspend))?;
        say(&format!(
            "{}; running actions continue, nothing new starts; continue with: resume {}",
            shown_status(session, &job.id)?,
            job.id
        ));
        Ok(Exit::Success)
    }
}
