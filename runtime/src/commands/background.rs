//! What `start`, `resume` and `rerun` share: the job continues under a detached owner, or with `--wait` under this process.

use std::{os::unix::process::CommandExt, process::Command, thread, time::Duration};

use clap::Args;
use hpdlc_core::status::JobStatus;
use hpdlc_engine::{
    control::{self, JobOrder, StoredCommand},
    engine::{JobCompletion, Signals},
    owner::{Ownership, Session},
    registry,
};
use hpdlc_host::exit::{Exit, RunError};
use hpdlc_store::JobRow;

use crate::commands::{conclude::conclude, find_job, progress_of, say, scheduled, shown_status};

/// Polling interval for a job that another process drives.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// The options of which one is needed for `--json`; they exclude each other.
pub(super) const HAS_JSON: &str = "has_json";

#[derive(Debug, Args)]
pub(super) struct Background {
    /// Stay until the job ends, and exit as `run` does
    #[arg(long, group = HAS_JSON)]
    wait: bool,
    /// With --wait: print events, then the job, as JSON
    #[arg(long, requires = HAS_JSON)]
    pub(super) json: bool,
}

impl Background {
    /// Whether this process is to become the owner.
    pub(super) fn waits(&self) -> bool {
        self.wait
    }

    /// Has the order carried out; the job is driven further as the options say.
    pub(super) fn ask(
        &self,
        session: &Session,
        job: &JobRow,
        order: JobOrder<'_>,
    ) -> Result<Exit, RunError> {
        scheduled::by_its_own_program(session, job, false)?;
        control::check(session, job, order)?;
        if !self.wait {
            control::ask(session, job, order)?;
            // It may already have ended or reached a suspend point.
            say(&shown_status(session, &job.id)?);
            return Ok(Exit::Success);
        }
        let root = find_job(session, &job.root_id)?;
        let is_ours = root.hash == session.program.hash;
        if !is_ours && matches!(order, JobOrder::Workflow(_)) {
            let program = registry::program_of(session, &root)?;
            let error = Command::new(&program)
                .arg0(&root.app)
                .args([order.word(), &job.id, "--wait"])
                .args(self.json.then_some("--json"))
                .exec();
            return Err(RunError::machine(format!("{}: {error}", program.display())));
        }
        let request = StoredCommand::put(session, job, order)?;
        let ownership = if is_ours {
            session.own(&root.id)?
        } else {
            None
        };
        match ownership {
            Some(ownership) => self.drive(session, ownership, &request, job),
            None => {
                request.see_through()?;
                self.follow(session, &job.id)
            }
        }
    }

    /// Drives the job here; the engine finds the request first.
    pub(super) fn drive(
        &self,
        session: &Session,
        ownership: Ownership,
        request: &StoredCommand<'_>,
        job: &JobRow,
    ) -> Result<Exit, RunError> {
        let progress = progress_of(session, job, self.json);
        session.drive(ownership, true, progress, Signals::of_program)?;
        if let Some(answer) = request.answer()? {
            answer?;
        }
        self.conclude(session, &job.id)
    }

    /// Waits for the end of a job that another process drives.
    fn follow(&self, session: &Session, id: &str) -> Result<Exit, RunError> {
        loop {
            let job = find_job(session, id)?;
            let is_driven = session.has_owner(&job.root_id);
            let is_over = job.status.is_terminal() || job.status == JobStatus::Suspended;
            if is_over || !is_driven {
                // Read again: the owner may have ended between the two reads.
                return self.conclude(session, id);
            }
            thread::sleep(LOOK_AGAIN);
        }
    }

    fn conclude(&self, session: &Session, id: &str) -> Result<Exit, RunError> {
        let job = find_job(session, id)?;
        conclude(session, &JobCompletion::of(job), self.json)
    }

    /// Prints a line of a command that leaves a detached owner; with `--wait --json` the job's own events are printed instead.
    pub(super) fn tell(&self, line: &str) {
        if self.json {
            return;
        }
        say(line);
    }
}
