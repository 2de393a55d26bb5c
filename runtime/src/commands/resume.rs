//! `resume`: a suspended job goes on, in the foreground.

use clap::Args;
use hpdlc_core::{status::JobStatus, step::Event};

use crate::{
    commands::{find_job, progress, recover::drive_by_its_own, run::conclude},
    engine::Signals,
    exit::{Exit, RunError},
    owner::Session,
};

#[derive(Debug, Args)]
pub(super) struct Resume {
    /// The job
    id: String,
    /// Print events, then the job, as JSON
    #[arg(long)]
    json: bool,
}

impl Resume {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let job = find_job(session, &self.id)?;
        if job.status != JobStatus::Suspended {
            return Err(RunError::usage(format!(
                "job {} is {}; only a SUSPENDED job can be resumed (E1100)",
                job.id, job.status
            )));
        }
        let root = find_job(session, &job.root_id)?;
        if root.hash != session.program.hash {
            return drive_by_its_own(session, &job, &["resume"], self.json);
        }
        let ownership = session.own(&root.id)?.ok_or_else(|| {
            RunError::usage(format!(
                "job {} has an owner that has not let go of it yet",
                root.id
            ))
            .with_help("try again in a moment")
        })?;
        let resume = Some((job.id, Event::Resume));
        let ended = session.drive(
            ownership,
            true,
            resume,
            progress(self.json),
            Signals::of_program,
        )?;
        conclude(session, &ended, self.json)
    }
}
