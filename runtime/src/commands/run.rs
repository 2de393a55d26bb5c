//! `run`: runs a new job in the foreground.

use clap::Args;
use hpdlc_core::status::JobStatus;
use hpdlc_engine::{
    engine::Signals,
    owner::{JobToDrive, NewJobOptions, Session},
    progress::Silent,
};
use hpdlc_host::{
    exit::{Exit, RunError},
    job_id::JobKind,
};
use hpdlc_program::table::Entry;
use hpdlc_store::query::ApplicationOrigin;

use crate::commands::{PropertySources, conclude::conclude, progress_of, say, warnings};

mod keyed;

#[derive(Debug, Args)]
pub(super) struct Run {
    #[command(flatten)]
    given: PropertySources,
    /// Print events, then the job, as JSON
    #[arg(long)]
    json: bool,
    /// Print nothing while it runs, and at its end only errors
    #[arg(short, long, conflicts_with = "json")]
    quiet: bool,
    /// Of a coordinator: run on a clock that begins at its start time and is N times as fast; 60 makes a minute a second
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=86_400))]
    speed: Option<u32>,
    /// The key of the job: an unfinished job with this key is continued instead, one that has SUCCEEDED is not run again
    #[arg(long, value_name = "KEY", value_parser = keyed::parse)]
    key: Option<String>,
}

impl Run {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        if self.speed.is_some() && matches!(session.program.entry, Entry::Workflow) {
            return Err(RunError::usage(
                "--speed is for coordinators and bundles: a workflow has no times",
            )
            .with_help("leave it out"));
        }
        let given = self.given.read()?;
        let wanted = NewJobOptions {
            origin: ApplicationOrigin::Program,
            status: JobStatus::Running,
            speed: self.speed,
            key: self.key.as_deref(),
        };
        let (row, ownership) = match session.create_or_find(given.clone(), wanted)? {
            JobToDrive::New(row, ownership) => (row, ownership),
            JobToDrive::There(row) => {
                return keyed::go_on(session, &row, &given, self.quiet, self.json);
            }
        };
        let is_said = !self.json && !self.quiet;
        if is_said {
            say(&format!("{} {}", JobKind::of(&row.id).word(), row.id));
        }
        warnings::tell(session, &row, &given, is_said)?;
        let progress = if self.quiet {
            Box::new(Silent)
        } else {
            progress_of(session, &row, self.json)
        };
        let ended = session.drive(ownership, false, progress, Signals::of_program)?;
        if self.quiet && ended.job.status == JobStatus::Succeeded {
            return Ok(Exit::Success);
        }
        conclude(session, &ended, self.json)
    }
}
