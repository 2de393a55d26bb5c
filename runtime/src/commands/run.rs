//! `run`: a new job in the foreground.

use clap::Args;
use hpdlc_core::{coordinator::CoordinatorStatus, status::JobStatus};
use hpdlc_engine::{
    engine::{Ended, Signals},
    owner::{Made, Session, Wanted},
    progress::Silent,
};
use hpdlc_host::{
    clock::format_duration,
    exit::{Exit, RunError},
    ids::Kind,
    secrets::Mask,
};
use hpdlc_program::table::Entry;
use hpdlc_store::{JobRow, query::Door};

use crate::commands::{Given, failure, info, print_json, progress_of, say, status_of};

mod keyed;

#[derive(Debug, Args)]
pub(super) struct Run {
    #[command(flatten)]
    given: Given,
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
        let wanted = Wanted {
            door: Door::Program,
            status: JobStatus::Running,
            speed: self.speed,
            key: self.key.as_deref(),
        };
        let (row, ownership) = match session.create_or_find(given.clone(), wanted)? {
            Made::New(row, ownership) => (row, ownership),
            Made::There(row) => {
                return keyed::go_on(session, &row, &given, self.quiet, self.json);
            }
        };
        if !self.json && !self.quiet {
            say(&format!("{} {}", Kind::of(&row.id).word(), row.id));
        }
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

/// As [`conclude`], of a coordinator or a bundle, whose own state says more than the job's.
fn conclude_scheduled(session: &Session, job: &JobRow, json: bool) -> Result<Exit, RunError> {
    let status = status_of(session, job)?;
    if json {
        print_json(&info::to_json(session, job)?)?;
    } else {
        let mut text = format!("{} {} {status}", Kind::of(&job.id).word(), job.id);
        if let (Some(started), Some(ended)) = (job.started, job.ended) {
            text.push_str(&format!(" after {}", format_duration(ended - started)));
        }
        say(&text);
        if let Some(next) = info::next_step(session, job)? {
            say(&next);
        }
        tell(failure::describe_scheduled(session, job)?);
    }
    Ok(CoordinatorStatus::from_name(&status).map_or(Exit::Machine, Exit::of_coordinator))
}

fn tell(lines: Option<String>) {
    if let Some(lines) = lines {
        say(&lines);
    }
}

/// Says how a job ended, and exits as its state says.
pub(super) fn conclude(session: &Session, ended: &Ended, json: bool) -> Result<Exit, RunError> {
    let Ended { job, suspended } = ended;
    if Kind::of(&job.id) != Kind::Workflow {
        return conclude_scheduled(session, job, json);
    }
    if json {
        print_json(&info::to_json(session, job)?)?;
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
        tell(failure::describe(session, job)?);
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
