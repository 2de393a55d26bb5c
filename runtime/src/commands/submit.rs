//! `submit`: a new job that waits for its `start`.

use clap::Args;
use hpdlc_core::status::JobStatus;

use crate::{
    commands::{Given, print},
    exit::{Exit, RunError},
    owner::Session,
    store::query::Door,
};

#[derive(Debug, Args)]
pub(super) struct Submit {
    #[command(flatten)]
    given: Given,
}

impl Submit {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let (row, ownership) =
            session.create(self.given.read()?, Door::Program, JobStatus::Prep)?;
        drop(ownership);
        print(&format!("{}\n", row.id))?;
        Ok(Exit::Success)
    }
}
