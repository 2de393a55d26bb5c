//! `submit`: creates a new job that waits for its `start`.

use clap::Args;
use hpdlc_core::status::JobStatus;
use hpdlc_engine::owner::Session;
use hpdlc_host::exit::{Exit, RunError};
use hpdlc_store::query::ApplicationOrigin;

use crate::commands::{PropertySources, print, warnings};

#[derive(Debug, Args)]
pub(super) struct Submit {
    #[command(flatten)]
    given: PropertySources,
}

impl Submit {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let given = self.given.read()?;
        let (row, ownership) =
            session.create(given.clone(), ApplicationOrigin::Program, JobStatus::Prep)?;
        drop(ownership);
        warnings::tell(session, &row, &given, true)?;
        print(&format!("{}\n", row.id))?;
        Ok(Exit::Success)
    }
}
