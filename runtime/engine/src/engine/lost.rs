//! Lost attempts: those whose result is unknown.

use std::collections::BTreeSet;

use hpdlc_core::status::ActionStatus;
use hpdlc_executors::ProcessOutcome;
use hpdlc_launcher::{Attempt, ClaimRecord};
use rustix::process::Signal;

use crate::{
    engine::{AttemptKey, Engine},
    job::Job,
};

impl Engine {
    /// Handles an attempt whose result is unknown: it is never run a second time unless the job says so. Work that goes on elsewhere is
    /// looked up there.
    pub(super) fn lost(&mut self, key: &AttemptKey, problem: &str) {
        self.let_go(key);
        let (id, node, attempt) = (&key.0, key.1, key.2);
        if !self.is_current(key) {
            return;
        }
        self.no_longer_queued(id, node);
        match self.left_behind(key) {
            Some((_, Some(ProcessOutcome::Completed(completion)))) => {
                return self.completed(key, completion);
            }
            // The next owner looks for it.
            Some((_, None)) if self.is_draining() => return,
            Some((files, None)) if files.forget() => {
                let note = format!("{problem}; it is looked for where it runs");
                self.note(id, Some(node), "REATTACHED", &note);
                self.slots.insert(key.clone());
                return self.launch(id, node, attempt, false);
            }
            // A `Lost` reported by the attempt's own process is final.
            Some((_, None | Some(ProcessOutcome::Lost(_)))) | None => {}
        }
        let Some(settings) = self.settings(id) else {
            return;
        };
        let work = self.jobs.get(id).and_then(|job| job.work(node));
        let own = work.as_ref().and_then(|work| work.executor().when_lost());
        let error = Job::lost(settings.when_lost(own), problem);
        self.failed(id, node, attempt, &error);
    }

    /// The files of an attempt whose work goes on elsewhere, with the result its process has left. The process may have outlived its
    /// launcher, and is ended, so that only one waits.
    fn left_behind(
        &self,
        (id, node, attempt): &AttemptKey,
    ) -> Option<(Attempt, Option<ProcessOutcome>)> {
        let job = self.jobs.get(id)?;
        let work = job
            .work(*node)
            .filter(|work| work.executor().goes_on_elsewhere())?;
        let files = job.attempt(&self.home, *node, *attempt);
        if let Some(group) = files.claim_record().and_then(ClaimRecord::group) {
            group.signal(Signal::KILL);
        }
        let left = work.left(&files).ok()?;
        Some((files, left))
    }
}

/// Attempts whose intent was recorded before this process became the owner. All others were certainly not started by an earlier owner.
pub(super) fn inherited(jobs: &[Job]) -> BTreeSet<AttemptKey> {
    let mut inherited = BTreeSet::new();
    for job in jobs {
        let nodes = job.state.nodes.iter();
        let recorded = nodes.filter(|(_, state)| state.status == ActionStatus::Running);
        inherited.extend(recorded.map(|(&node, state)| (job.id().to_owned(), node, state.attempt)));
    }
    inherited
}
