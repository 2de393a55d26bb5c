//! `submit`: creates a new job that waits for its `start`.

use clap::Args;
use hpdlc_core::status::JobStatus;
use hpdlc_engine::owner::Session;
use hpdlc_host::exit::{Exit, RunError};
use hpdlc_store::query::ApplicationOrigin;

use crate::commands::{PropertySources, backlog, print};

#[derive(Debug, Args)]
pub(super) struct Submit {
    #[command(flatten)]
    given: PropertySources,
}

impl Submit {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let (row, ownership) = session.create(
            self.given.read()?,
            ApplicationOrigin::Program,
            JobStatus::Prep,
        )?;
        drop(ownership);
        backlog::tell(session, &row, true)?;
        print(&format!("{}\n", row.id))?;
        Ok(Exit::Success)
    }
}
