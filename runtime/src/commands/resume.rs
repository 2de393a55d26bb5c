//! `resume`: a suspended job goes on, in the background.

use clap::Args;

use crate::{
    commands::{background::Background, find_job, order},
    control::Verb,
    exit::{Exit, RunError},
    owner::Session,
};

#[derive(Debug, Args)]
pub(super) struct Resume {
    /// The job: its id, or the number that it begins with
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
