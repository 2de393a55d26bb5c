//! `submit` and `run`: new jobs of an application, by its own executable.

use std::ffi::OsString;

use clap::Args;
use hpdlc_engine::owner::Session;
use hpdlc_host::exit::{Exit, RunError};
use hpdlc_runtime::fleet::PropertySources;

use crate::application;

/// What both are given.
#[derive(Debug, Args)]
struct NewJob {
    /// The application's name
    #[arg(value_name = "APPLICATION")]
    name: String,
    #[command(flatten)]
    given: PropertySources,
}

#[derive(Debug, Args)]
pub(super) struct Submit {
    #[command(flatten)]
    job: NewJob,
}

#[derive(Debug, Args)]
pub(super) struct Run {
    #[command(flatten)]
    job: NewJob,
    /// The key of the job: an unfinished job with this key is continued instead, one that has SUCCEEDED is not run again
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// Print events, then the job, as JSON
    #[arg(long)]
    json: bool,
    /// Print nothing while it runs, and at its end only errors
    #[arg(short, long, conflicts_with = "json")]
    quiet: bool,
}

impl NewJob {
    fn by_its_program(&self, session: &Session, words: &[OsString]) -> Result<Exit, RunError> {
        // Whether it accepts jobs, it says itself, in the transaction that creates one.
        let application = application::find(session, &self.name)?;
        let arguments = [words, &self.given.arguments()].concat();
        Err(application::execute(session, &application, &arguments))
    }
}

impl Submit {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        self.job.by_its_program(session, &["submit".into()])
    }
}

impl Run {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let mut words: Vec<OsString> = vec!["run".into()];
        if let Some(key) = &self.key {
            words.push(format!("--key={key}").into());
        }
        words.extend(self.json.then(|| "--json".into()));
        words.extend(self.quiet.then(|| "--quiet".into()));
        self.job.by_its_program(session, &words)
    }
}
