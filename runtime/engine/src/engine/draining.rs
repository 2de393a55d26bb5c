//! Drain: waits for running work before the job is released, if that work would end with this process.
//!
//! Nothing new is started: decisions, evaluations and starts stay outstanding in the store, and the next owner resumes them. What the
//! launcher has not started is withdrawn, and marked so that no owner considers it lost.

use hpdlc_core::definition::NodeId;
use hpdlc_executors::sub_workflow::SubWorkflow;
use hpdlc_host::{
    drain::{self, Drain},
    exit::RunError,
};
use hpdlc_launcher::{
    AttemptState, ClaimRecord, ExitRecord, LauncherReport, LauncherRequest, ReportEvent,
};
use hpdlc_store::JobRow;
use rustix::process::Signal;

use crate::engine::{AttemptKey, Engine};

/// The boot id recorded for an attempt that has certainly not been started.
const NOT_BEGUN: &str = "none";

/// The exit code of a program that handled SIGTERM and exited, by the convention of shells and the JVM.
const ENDED_BY_TERM: i32 = 128 + 15;

#[derive(Debug)]
pub(super) struct Draining {
    pub(super) drain: Drain,
    /// How many answers to `Withdraw` are outstanding, each of which confirms that all started attempts were reported.
    n_withdrawing: u32,
    /// Owners of sub-workflows of other executables, which drain too.
    others: Vec<JobRow>,
}

impl Engine {
    pub(super) fn is_draining(&self) -> bool {
        self.draining.is_some()
    }

    pub(super) fn begin_drain(&mut self, drain: Drain) -> Result<(), RunError> {
        if self.is_draining() {
            return Ok(());
        }
        let running = self.names_of_running();
        let running = if running.is_empty() {
            "nothing".to_owned()
        } else {
            running
        };
        let root = self.root.clone();
        self.note(&root, None, "DRAIN", &drain.announcement(&running));
        let others = self.tell_others();
        self.waiting.clear();
        let n_withdrawing = if self.environment.has_launcher() {
            // An earlier request is answered first.
            u32::from(self.ahead.is_withdrawing) + 1
        } else {
            0
        };
        self.draining = Some(Draining {
            drain,
            n_withdrawing,
            others,
        });
        for attempt in self.launched.keys().cloned().collect::<Vec<_>>() {
            self.environment
                .request(&LauncherRequest::Forget { attempt });
        }
        self.ahead.is_withdrawing = n_withdrawing > 0;
        self.environment.request(&LauncherRequest::Withdraw);
        self.environment.flush();
        Ok(())
    }

    /// No launcher is left that could start anything.
    pub(super) fn nothing_to_take_back(&mut self) {
        if let Some(draining) = &mut self.draining {
            draining.n_withdrawing = 0;
        }
    }

    /// Has the owners of sub-workflows elsewhere release them, and ends the processes that wait for them: our next owner asks again.
    fn tell_others(&mut self) -> Vec<JobRow> {
        let elsewhere: Vec<(AttemptKey, String)> = self
            .in_flight
            .iter()
            .filter(|(id, node, _)| self.is_child_elsewhere(id, *node))
            .filter_map(|key| {
                let row = self.jobs.get(&key.0)?.stored_row(key.1)?;
                Some((key.clone(), row.external_id.clone()?))
            })
            .collect();
        let mut others = Vec::new();
        for ((id, node, attempt), child) in elsewhere {
            let Some(job) = self.jobs.get(&id) else {
                continue;
            };
            let files = job.attempt(&self.home, node, attempt);
            if let Some(group) = files.claim_record().and_then(ClaimRecord::group) {
                group.signal(Signal::KILL);
            }
            if let Ok(Some(row)) = self.writer.job(&child)
                && drain::pass_on(&row.id, row.owner_pid).is_some()
            {
                others.push(row);
            }
        }
        others
    }

    pub(super) fn is_child_elsewhere(&self, id: &str, node: NodeId) -> bool {
        let work = self.jobs.get(id).and_then(|job| job.work(node));
        work.is_some_and(|work| work.child().is_some_and(SubWorkflow::is_elsewhere))
    }

    /// The launcher has reported all that it started: attempts unclaimed by now are never started.
    pub(super) fn take_back(&mut self) {
        let Some(draining) = &mut self.draining else {
            return;
        };
        draining.n_withdrawing = draining.n_withdrawing.saturating_sub(1);
        if draining.n_withdrawing > 0 {
            return;
        }
        let launched: Vec<(String, AttemptKey)> = self
            .launched
            .iter()
            .map(|(path, key)| (path.clone(), key.clone()))
            .collect();
        for (path, key) in launched {
            let Some(job) = self.jobs.get(&key.0) else {
                continue;
            };
            let files = job.attempt(&self.home, key.1, key.2);
            if matches!(files.inspect(), Ok(AttemptState::Unclaimed)) {
                self.launched.remove(&path);
                self.not_begun(&key);
            }
        }
        self.held.clear();
    }

    /// The attempt's recorded intent remains; the next owner starts it, on whatever machine.
    pub(super) fn not_begun(&mut self, key: &AttemptKey) {
        self.let_go(key);
        if let Some(job) = self.jobs.get_mut(&key.0) {
            job.row_of(key.1).boot_id = Some(NOT_BEGUN.to_owned());
            self.dirty_nodes.insert((key.0.clone(), key.1));
        }
    }

    /// Assigns this boot's id to an attempt known not to have been started.
    pub(super) fn begins_after_all(&mut self, id: &str, node: NodeId) {
        let boot_id = self.environment.boot_id().to_owned();
        if let Some(job) = self.jobs.get_mut(id)
            && job
                .stored_row(node)
                .is_some_and(|row| row.boot_id.as_deref() == Some(NOT_BEGUN))
        {
            job.row_of(node).boot_id = Some(boot_id);
            self.dirty_nodes.insert((id.to_owned(), node));
        }
    }

    /// Whether the job needs no owner, for example since it is suspended, but its running work needs this process.
    pub(super) fn has_to_stay(&mut self) -> bool {
        if self.in_flight.is_empty() {
            return false;
        }
        if self.is_draining() {
            return true;
        }
        if self.ends_whole.is_none() {
            let settings = self.settings(&self.root);
            let wanted = settings.and_then(|settings| Drain::wanted("", settings));
            self.ends_whole = Some(wanted.is_some());
        }
        self.ends_whole == Some(true)
    }

    /// Whether a process was ended by the signal that ends everything here, not by itself: whether its work is done is unknown.
    pub(super) fn is_ended_by_drain(&self, key: &AttemptKey, record: &ExitRecord) -> bool {
        let is_term =
            record.signal == Some(Signal::TERM.as_raw()) || record.code == Some(ENDED_BY_TERM);
        self.is_draining() && is_term && record.exceeded.is_none() && self.is_current(key)
    }

    /// No running work is left that would end with this process.
    pub(super) fn is_drained(&self) -> bool {
        let Some(draining) = &self.draining else {
            return false;
        };
        let is_canceling = self
            .jobs
            .values()
            .any(|job| job.state.nodes.values().any(|node| node.is_canceling));
        let has_others = draining
            .others
            .iter()
            .any(|row| drain::owner_process(&row.id, row.owner_pid).is_some());
        draining.n_withdrawing == 0 && self.in_flight.is_empty() && !is_canceling && !has_others
    }

    /// The message when the job is released: nothing runs, or the time is over.
    pub(super) fn drained(&mut self) -> RunError {
        let running = self.names_of_running();
        self.environment.finish();
        let Some(Draining { drain, .. }) = &self.draining else {
            return self.recoverable(RunError::machine("stopped managing the job"));
        };
        let words = if running.is_empty() {
            let root = &self.root;
            format!(
                "{}: stopped managing job {root}; none of its actions is running",
                drain.signal
            )
        } else {
            drain.failure(&running)
        };
        self.recoverable(RunError::machine(words))
    }

    /// The nodes whose work is being done, as shown to the user.
    fn names_of_running(&self) -> String {
        let names = self.in_flight.iter().filter_map(|(id, node, _)| {
            let name = self.jobs.get(id)?.def(*node).name;
            Some(if *id == self.root {
                format!("`{name}`")
            } else {
                format!("`{name}` of {id}")
            })
        });
        names.collect::<Vec<_>>().join(", ")
    }

    /// Handles a report of the launcher in a drain; `true` if nothing else is to be done for it.
    pub(super) fn settles_report(&mut self, report: &LauncherReport) -> bool {
        let LauncherReport { attempt, event } = report;
        let ReportEvent::Exited { record, .. } = event else {
            return false;
        };
        let Some(key) = self.launched.get(attempt).cloned() else {
            return false;
        };
        if !self.is_ended_by_drain(&key, record) {
            return false;
        }
        self.launched.remove(attempt);
        self.lost(
            &key,
            "SIGTERM has ended its process together with its owner: whether it did its work is not known",
        );
        true
    }
}
