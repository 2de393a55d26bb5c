//! `resume`: continues a suspended job, in the background.

use clap::Args;
use hpdlc_engine::{control::Verb, owner::Session};
use hpdlc_host::exit::{Exit, RunError};

use crate::commands::{background::Background, find, find_job, order};

#[derive(Debug, Args)]
pub struct Resume {
    #[arg(help = find::JOB)]
    id: String,
    #[command(flatten)]
    background: Background,
}

impl Resume {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let job = find_job(session, &self.id)?;
        let order = order(&job, Verb::Resume);
        self.background.ask(session, &job, order)
    }
}
