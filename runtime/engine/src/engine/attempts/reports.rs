//! The reports of the launcher.

use hpdlc_host::exit::RunError;
use hpdlc_launcher::{Attempt, AttemptState, LauncherReport, ReportEvent};

use super::task::judge;
use crate::engine::{AttemptKey, Engine};

/// How many launchers may die in a row without a report before the machine is considered at fault.
const MAX_DEAD_LAUNCHERS: u32 = 3;

impl Engine {
    pub(in crate::engine) fn take_report(
        &mut self,
        report: Option<LauncherReport>,
    ) -> Result<(), RunError> {
        let Some(report) = report else {
            self.launcher_gone();
            return Ok(());
        };
        self.n_dead_launchers = 0;
        self.settle_before(&report.attempt)?;
        if self.settles_report(&report) {
            return Ok(());
        }
        let LauncherReport { attempt, event } = report;
        match event {
            ReportEvent::Started { pid } => {
                self.slot_use.is_quick = false;
                self.withdraw_followers();
                if let Some(key) = self.launched.get(&attempt).cloned() {
                    self.started(&key, pid);
                }
            }
            ReportEvent::ClaimedBefore => {
                // An attempt claimed by a kill is not awaited.
                if let Some(key) = self.launched.remove(&attempt)
                    && (self.held.remove(&key) || self.in_flight.contains(&key))
                {
                    self.in_flight.insert(key.clone());
                    self.slot_use.elsewhere.insert(key.clone());
                    let work = self.jobs.get(&key.0).and_then(|job| job.work(key.1));
                    if let Some(work) = work {
                        self.environment.await_end(key, work, Attempt::new(attempt));
                    }
                }
            }
            ReportEvent::Exited { pid, record } => {
                self.slot_use.count_end();
                if let Some(key) = self.launched.remove(&attempt)
                    && let Some(work) = self.jobs.get(&key.0).and_then(|job| job.work(key.1))
                {
                    self.slot_use.is_quick = self.is_untold(&key);
                    if let Some(pid) = pid {
                        self.started(&key, pid);
                    }
                    if record.exceeded.is_some() && work.executor().may_go_on_elsewhere() {
                        // What it has started is ended too, on a thread that may block.
                        self.environment.await_end(key, work, Attempt::new(attempt));
                        return Ok(());
                    }
                    let found = Ok(AttemptState::Exited(record));
                    self.take(judge(key, &work, &Attempt::new(attempt), found));
                }
            }
            ReportEvent::Unclaimed { problem } => {
                self.failure.get_or_insert(RunError::machine(problem));
            }
            ReportEvent::Withdrawn => self.withdrawn()?,
        }
        Ok(())
    }

    /// The launcher is gone: its requests were completed, lost, or never started, as their files say.
    fn launcher_gone(&mut self) {
        self.environment.forget_launcher();
        self.slot_use.launcher_gone();
        self.followers_left();
        self.held.clear();
        self.n_dead_launchers += 1;
        if self.n_dead_launchers > MAX_DEAD_LAUNCHERS {
            let log = self.home.work().join(&self.root).join("launcher.log");
            let problem = format!(
                "the launcher exits right after its start; see {}",
                log.display()
            );
            self.failure.get_or_insert(RunError::machine(problem));
            return;
        }
        // What has not been started yet may be started without a launcher.
        if let Err(error) = self.expect_job() {
            self.failure.get_or_insert(error);
            return;
        }
        for key in std::mem::take(&mut self.launched).into_values() {
            self.in_flight.remove(&key);
            self.launch(&key.0, key.1, key.2, true);
        }
    }

    /// The process id is recorded with the next write.
    pub(super) fn started(&mut self, (id, node, _): &AttemptKey, pid: u32) {
        if let Some(job) = self.jobs.get_mut(id)
            // A child is identified by the id of its job.
            && job.work(*node).is_none_or(|work| work.child().is_none())
        {
            job.row_of(*node).external_id = Some(pid.to_string());
        }
        self.no_longer_queued(id, *node);
    }

    /// No process id of the attempt is known yet.
    fn is_untold(&self, (id, node, _): &AttemptKey) -> bool {
        self.jobs
            .get(id)
            .and_then(|job| job.stored_row(*node))
            .is_some_and(|row| row.external_id.is_none())
    }
}
