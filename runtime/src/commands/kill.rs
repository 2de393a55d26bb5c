//! `kill`: from any terminal.

use clap::Args;

use crate::{
    commands::{
        find_job, order, say,
        scheduled::{self, Selected},
        shown_status,
    },
    control::{self, Order, Verb},
    coordinator::request::Request,
    exit::{Exit, RunError},
    ids::Kind,
    owner::Session,
};

#[derive(Debug, Args)]
pub(super) struct Kill {
    /// The job: its id, or the number that it begins with
    id: String,
    #[command(flatten)]
    selected: Selected,
}

impl Kill {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        if let Some(selection) = self.selected.selection() {
            let job = scheduled::find(session, &self.id, &[Kind::Coordinator], "kill --action")?;
            let request = Request::KillActions(selection);
            return scheduled::ask(session, &job, Order::Coordinator(&request));
        }
        let job = find_job(session, &self.id)?;
        control::ask(session, &job, order(&job, Verb::Kill))?;
        // One that had FAILED stays so.
        say(&shown_status(session, &job.id)?);
        Ok(Exit::Success)
    }
}
