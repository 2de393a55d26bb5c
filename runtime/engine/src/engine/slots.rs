//! Concurrency limit: how many local processes run at once, and the work queue at the launcher.
//!
//! `hpdl.local.processes.max` processes run at once; the launcher enforces it. While processes are short the engine records the intent to
//! start a few more, which wait at the launcher: the next one starts as soon as one ends, without a transaction in between. And the
//! launcher reports several ends at a time, which share a transaction. Attempts that wait there are unclaimed: they are not shown as
//! running, a kill claims them, and the next owner starts them.

use std::collections::BTreeSet;

use hpdlc_core::{definition::NodeId, status::JobStatus};
use hpdlc_launcher::{LauncherRequest, folder_pool};
use hpdlc_program::table::NodeKind;

use crate::{
    engine::{AttemptKey, Engine},
    progress::ProgressEvent,
};

/// How many attempts may wait at the launcher while processes are short. After a crash of the machine it is unknown which of them had
/// started.
const MAX_QUEUED: usize = 12;

/// The same once enough short processes have ended to expect more of them.
const MAX_QUEUED_IN_RUSH: usize = 64;

#[derive(Debug, Default)]
pub(super) struct SlotUse {
    /// Attempts that use a slot and that the present launcher was not asked to start: they are being looked for, or run under an earlier
    /// launcher.
    pub(super) elsewhere: BTreeSet<AttemptKey>,
    /// Those of them whose state is still unknown.
    pub(super) sought: BTreeSet<AttemptKey>,
    /// The last process that was reported had ended before its start was reported.
    pub(super) is_quick: bool,
    /// Ends reported by the present launcher.
    n_ends: u64,
    /// How many of them it knows to be on disk.
    n_recorded: u64,
    /// The limit last sent to the launcher.
    told: Option<usize>,
}

impl SlotUse {
    /// The launcher is gone; all that it was asked to start is looked for.
    pub(super) fn launcher_gone(&mut self) {
        self.is_quick = false;
        self.n_ends = 0;
        self.n_recorded = 0;
        self.told = None;
    }

    fn max_queued(&self) -> usize {
        if self.n_ends < u64::from(folder_pool::ENOUGH) {
            MAX_QUEUED
        } else {
            MAX_QUEUED_IN_RUSH
        }
    }

    /// Counts an end reported by the launcher.
    pub(super) fn count_end(&mut self) {
        self.n_ends += 1;
    }
}

impl Engine {
    /// How many processes may run at once.
    fn max_processes(&self) -> usize {
        self.settings(&self.root)
            .map_or(1, |settings| settings.max_processes())
    }

    /// Whether an attempt of `node` may be evaluated and its intent recorded.
    pub(super) fn has_slot(&self, id: &str, node: NodeId) -> bool {
        if self.is_draining() {
            return false;
        }
        let max = self.max_processes();
        let n_slots = self.slots.len();
        n_slots < max
            || n_slots < max.saturating_add(self.slot_use.max_queued())
                && self.slot_use.is_quick
                && self.can_queue(id, node)
    }

    /// Whether the action needs no work before its process starts: no `prepare`, no files.
    pub(super) fn can_queue(&self, id: &str, node: NodeId) -> bool {
        let Some(job) = self.jobs.get(id) else {
            return false;
        };
        matches!(
            &job.def(node).kind,
            NodeKind::Action(action) if action.body.def().starts_at_once()
        )
    }

    /// Marks an attempt for which there is no free slot: it will wait at the launcher.
    pub(super) fn mark_queued(&mut self, id: &str, node: NodeId) {
        let is_over = self.slots.len() > self.max_processes();
        if is_over && let Some(job) = self.jobs.get_mut(id) {
            job.row_of(node).set_queued();
        }
    }

    /// An attempt that waited at the launcher runs, or has run: this is reported now.
    pub(super) fn no_longer_queued(&mut self, id: &str, node: NodeId) {
        let now = self.now();
        let Some(job) = self.jobs.get_mut(id) else {
            return;
        };
        let row = job.row_of(node);
        if row.is_queued() {
            row.external_status = None;
            let news = ProgressEvent::of_node(row, now);
            self.log.push(news.to_log());
            self.news.push(news);
            self.dirty_nodes.insert((id.to_owned(), node));
            self.tell_slas(id, false, &BTreeSet::from([node]), now);
        }
    }

    /// Tells the launcher which ends are on disk, while processes are short: it reuses their folders. Not while a job is being stopped,
    /// since its attempts are then found by the names of their folders.
    pub(super) fn tell_recorded(&mut self) {
        let n_ends = self.slot_use.n_ends;
        if self.slot_use.is_quick
            && self.slot_use.n_recorded < n_ends
            && self.is_running_job(&self.root)
        {
            self.slot_use.n_recorded = n_ends;
            self.environment
                .request(&LauncherRequest::Recorded { ends: n_ends });
        }
    }

    /// Tells the launcher how many processes it may run at once, if that has changed.
    pub(super) fn tell_room(&mut self) {
        if !self.environment.has_launcher() {
            return;
        }
        // If no job runs, no waiting attempt may start either.
        let is_any_running = self
            .jobs
            .values()
            .any(|job| job.state.status == JobStatus::Running);
        let max = if is_any_running {
            self.max_processes()
        } else {
            0
        };
        let processes = max.saturating_sub(self.slot_use.elsewhere.len());
        if self.slot_use.told != Some(processes) {
            self.slot_use.told = Some(processes);
            self.environment
                .request(&LauncherRequest::AtMost { processes });
        }
    }
}
