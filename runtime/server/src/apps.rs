//! `apps`: the applications of the state folder, and their life cycle.

use clap::{Args, Subcommand};
use hpdlc_engine::owner::Session;
use hpdlc_host::exit::{Exit, RunError};
use hpdlc_store::applications::Transition;

pub(crate) mod change;
mod deploy;
pub(crate) mod list;
mod show;

#[derive(Debug, Args)]
pub(super) struct Apps {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the applications; the default
    List(list::List),
    /// Show an application: its state, definition, and newest jobs
    Show(show::Show),
    /// Add an executable as an application, which is INACTIVE until it is activated
    Deploy(deploy::Deploy),
    /// Accept new jobs of an INACTIVE or SUSPENDED application
    Activate(change::Change),
    /// Accept no new jobs of an ACTIVE application; existing ones continue
    Suspend(change::Change),
    /// Make a SUSPENDED application INACTIVE, once its jobs have ended
    Deactivate(change::Change),
    /// Remove an INACTIVE application; its jobs stay
    Undeploy(change::Change),
}

impl Apps {
    pub(super) fn execute(self, session: &Session) -> Result<Exit, RunError> {
        match self.command.unwrap_or(Command::List(list::List::default())) {
            Command::List(list) => list.execute(session),
            Command::Show(show) => show.execute(session),
            Command::Deploy(deploy) => deploy.execute(),
            Command::Activate(change) => change.execute(session, Transition::Activate),
            Command::Suspend(change) => change.execute(session, Transition::Suspend),
            Command::Deactivate(change) => change.execute(session, Transition::Deactivate),
            Command::Undeploy(change) => change.execute(session, Transition::Undeploy),
        }
    }
}
