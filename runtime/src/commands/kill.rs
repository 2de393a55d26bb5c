//! `kill`: kills a job, from any terminal.

use clap::Args;
use hpdlc_engine::{
    control::{self, JobOrder, Verb, coordinator_request::CoordinatorRequest},
    owner::Session,
};
use hpdlc_host::{
    exit::{Exit, RunError},
    job_id::JobKind,
};

use crate::commands::{
    find, order, say,
    scheduled::{self, Selected},
    shown_status,
};

#[derive(Debug, Args)]
pub struct Kill {
    #[arg(help = find::JOB_OR_ACTION)]
    id: String,
    #[command(flatten)]
    selected: Selected,
}

impl Kill {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let (job, selection) = self.selected.subject(session, &self.id)?;
        if let Some(selection) = selection {
            scheduled::expect(&job, &[JobKind::Coordinator], "kill --action")?;
            let request = CoordinatorRequest::KillActions(selection);
            return scheduled::ask(session, &job, JobOrder::Coordinator(&request));
        }
        scheduled::by_its_own_program(session, &job, false)?;
        control::ask(session, &job, order(&job, Verb::Kill))?;
        // A job that is already FAILED stays FAILED.
        say(&shown_status(session, &job.id)?);
        Ok(Exit::Success)
    }
}
