//! `update`: a coordinator continues with the newest definition of its application, or other properties.

use std::ffi::OsString;

use clap::Args;
use hpdlc_engine::owner::Session;
use hpdlc_host::{
    exit::{Exit, RunError},
    job_id::JobKind,
};
use hpdlc_runtime::fleet::{PropertySources, find_job_of};

use crate::application;

#[derive(Debug, Args)]
pub(super) struct Update {
    /// The coordinator
    id: String,
    /// The application whose definition it gets; by default the one of its name
    #[arg(long, value_name = "APPLICATION")]
    app: Option<String>,
    #[command(flatten)]
    given: PropertySources,
    /// Only show what would differ
    #[arg(long)]
    dry_run: bool,
}

impl Update {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let job = find_job_of(session, &self.id, &[JobKind::Coordinator], "update")?;
        let name = self.app.as_ref().unwrap_or(&job.app);
        let application = application::find(session, name)?;
        let mut arguments: Vec<OsString> = vec!["update".into(), job.id.into()];
        arguments.extend(self.dry_run.then(|| "--dry-run".into()));
        arguments.extend(self.given.arguments());
        Err(application::execute(session, &application, &arguments))
    }
}
