//! `run`: a new job in the foreground.

use clap::Args;
use hpdlc_core::status::JobStatus;

use crate::{
    commands::{Given, info, print, progress, say},
    engine::{Ended, Signals},
    exit::{Exit, RunError},
    owner::Session,
    progress::{Silent, format_duration},
    secrets::Mask,
    store::query::Door,
};

#[derive(Debug, Args)]
pub(super) struct Run {
    #[command(flatten)]
    given: Given,
    /// Print events, then the job, as JSON
    #[arg(long)]
    json: bool,
    /// Say nothing while it runs, and at its end only what went wrong
    #[arg(short, long, conflicts_with = "json")]
    quiet: bool,
}

impl Run {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let (row, ownership) =
            session.create(self.given.read()?, Door::Program, JobStatus::Running)?;
        if !self.json && !self.quiet {
            say(&format!("job {}", row.id));
        }
        let progress = if self.quiet {
            Box::new(Silent)
        } else {
            progress(self.json)
        };
        let ended = session.drive(ownership, false, progress, Signals::of_program)?;
        if self.quiet && ended.job.status == JobStatus::Succeeded {
            return Ok(Exit::Success);
        }
        conclude(session, &ended, self.json)
    }
}

/// Says how a job ended, and exits as its state says.
pub(super) fn conclude(session: &Session, ended: &Ended, json: bool) -> Result<Exit, RunError> {
    let Ended { job, suspended } = ended;
    if json {
        print(&format!("{}\n", info::to_json(session, job)?))?;
    } else {
        let mut text = format!("job {} {}", job.id, job.status);
        if let (Some(started), Some(ended)) = (job.started, job.ended) {
            text.push_str(&format!(" after {}", format_duration(ended - started)));
        }
        if let Some(message) = &job.error_message {
            let conf = serde_json::from_str(&job.conf).unwrap_or_default();
            text.push_str(&format!(": {}", Mask::of(&conf).text(message)));
        }
        say(&text);
        if let Some(suspended) = suspended
            && let Some(next) = info::next_step(session, suspended)?
        {
            say(&next);
        }
    }
    Ok(if suspended.is_some() {
        Exit::Suspended
    } else {
        Exit::of_job(job.status)
    })
}
