//! `ignore`: marks failed actions of a coordinator, or the whole coordinator, as ignored.

use clap::Args;
use hpdlc_engine::{
    control::{JobOrder, coordinator_request::CoordinatorRequest},
    owner::Session,
};
use hpdlc_host::{
    exit::{Exit, RunError},
    job_id::JobKind,
};

use crate::commands::scheduled::{self, Selected};

#[derive(Debug, Args)]
pub struct Ignore {
    /// The coordinator, or `8@3` for action 3 of coordinator 8
    id: String,
    #[command(flatten)]
    selected: Selected,
}

impl Ignore {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let (job, selection) = self.selected.subject(session, &self.id)?;
        scheduled::expect(&job, &[JobKind::Coordinator], "ignore")?;
        let request = match selection {
            Some(selection) => CoordinatorRequest::IgnoreActions(selection),
            None => CoordinatorRequest::Ignore,
        };
        scheduled::ask(session, &job, JobOrder::Coordinator(&request))
    }
}
