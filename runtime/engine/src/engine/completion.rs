//! Determines when an owner has nothing left to do.

use std::collections::BTreeMap;

use hpdlc_core::status::JobStatus;
use hpdlc_executors::RunsIn;
use hpdlc_store::JobRow;

use crate::{
    engine::{AttemptKey, Engine},
    job::Job,
};

/// The state of a job when the engine releases it.
#[derive(Debug)]
pub struct JobCompletion {
    /// The job at the top.
    pub job: JobRow,
    /// The suspended job, where nothing else can go on: that one, or a sub-workflow's.
    pub suspended: Option<JobRow>,
}

impl JobCompletion {
    /// A job that needs no owner.
    pub fn of(job: JobRow) -> JobCompletion {
        let suspended = (job.status == JobStatus::Suspended).then(|| job.clone());
        JobCompletion { job, suspended }
    }
}

/// Waiting retries and evaluations on other threads, counted by job. Those of a suspended job do not keep the owner: they are started again
/// when it is resumed.
#[derive(Debug, Default)]
pub(super) struct Timers(BTreeMap<String, usize>);

impl Timers {
    pub(super) fn begin(&mut self, job: &str) {
        *self.0.entry(job.to_owned()).or_default() += 1;
    }

    pub(super) fn end(&mut self, job: &str) {
        if let Some(n) = self.0.get_mut(job) {
            *n = n.saturating_sub(1);
        }
    }

    pub(super) fn running(&self) -> impl Iterator<Item = &str> {
        let counted = self.0.iter().filter(|(_, n)| **n > 0);
        counted.map(|(job, _)| job.as_str())
    }
}

impl Engine {
    /// Releases the job at the top: this engine drives nothing any more.
    pub(super) fn ended(&mut self) -> JobCompletion {
        self.environment.finish();
        let job = self.jobs.remove(&self.root).expect("the top job stays").row;
        let mut ended = JobCompletion::of(job);
        if !ended.job.status.is_terminal() && ended.suspended.is_none() {
            let mut children = self.jobs.values().map(|job| &job.row);
            let suspended = children.find(|row| row.status == JobStatus::Suspended);
            ended.suspended = suspended.cloned();
        }
        ended
    }

    /// Nothing is left to do, or nothing can be done before the user acts.
    ///
    /// The processes of a suspended job go on under their launcher; a resume attaches to them. But the results of a dead launcher's
    /// processes are found out first, and canceled attempts are ended. A child runs on if its parent is suspended.
    pub(super) fn is_over(&self) -> bool {
        let is_canceling = |job: &Job| job.state.nodes.values().any(|node| node.is_canceling);
        let is_busy = self
            .in_flight
            .iter()
            .any(|key| self.is_in_process(key) || self.is_running_job(&key.0))
            || self.timers.running().any(|id| self.is_running_job(id))
            || self
                .waiting
                .iter()
                .any(|(id, _, _)| self.is_running_job(id))
            || !self.slot_use.sought.is_empty()
            || self.jobs.values().any(is_canceling);
        if is_busy {
            return false;
        }
        match self.jobs[&self.root].state.status {
            JobStatus::Running => self
                .jobs
                .values()
                .any(|job| job.state.status == JobStatus::Suspended),
            JobStatus::Prep
            | JobStatus::Suspended
            | JobStatus::Succeeded
            | JobStatus::Killed
            | JobStatus::Failed => true,
        }
    }

    /// The attempt's work is done by this very process, and ends with it.
    fn is_in_process(&self, (id, node, _): &AttemptKey) -> bool {
        let work = self.jobs.get(id).and_then(|job| job.work(*node));
        work.is_some_and(|work| work.executor().runs_in() == RunsIn::Engine)
    }
}
