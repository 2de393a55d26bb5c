//! How many local processes run at once, and what waits for them.
//!
//! `hpdl.local.processes.max` processes run at once; the launcher sees to it. While processes are short the engine records
//! the intent to start a few more, which wait at the launcher: the next one starts when one ends, not when that end and the
//! intent to start the next have been put on disk. And the launcher tells of several ends at a time, which share a
//! transaction. Whatever waits there is unclaimed: it is not shown as running, a kill claims it, and the next owner starts
//! it.

use std::collections::BTreeSet;

use hpdlc_core::{definition::NodeId, status::JobStatus};
use hpdlc_launcher::{LauncherRequest, folder_pool};
use hpdlc_program::table::NodeKind;

use crate::{
    engine::{Engine, Key},
    progress::ProgressEvent,
};

/// How many attempts may wait at the launcher while processes are short. Where the machine goes down nobody knows which of
/// them had begun.
const MAX_QUEUED: usize = 12;

/// How many, once so many short processes have ended that others will be short too.
const MAX_QUEUED_IN_RUSH: usize = 64;

#[derive(Debug, Default)]
pub(super) struct SlotUse {
    /// Attempts that use room and that the present launcher has not been asked for: they are looked for, or run under an
    /// earlier launcher.
    pub(super) elsewhere: BTreeSet<Key>,
    /// Those of them of which nothing has been found out yet.
    pub(super) sought: BTreeSet<Key>,
    /// The last process that was heard of had ended before anybody was told that it runs.
    pub(super) is_quick: bool,
    /// Ends of which the present launcher has told.
    n_ends: u64,
    /// How many of them it knows to be on disk.
    n_recorded: u64,
    /// The room that the launcher was told of.
    told: Option<usize>,
}

impl SlotUse {
    /// All that it had been asked for is looked for.
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

    /// The launcher has told of an end.
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

    /// Whether nothing happens for the action before its process starts: no `prepare`, no files.
    pub(super) fn can_queue(&self, id: &str, node: NodeId) -> bool {
        let Some(job) = self.jobs.get(id) else {
            return false;
        };
        matches!(
            &job.def(node).kind,
            NodeKind::Action(action) if action.body.def().starts_at_once()
        )
    }

    /// Marks an attempt for which there is no process free: it will wait at the launcher.
    pub(super) fn mark_queued(&mut self, id: &str, node: NodeId) {
        let is_over = self.slots.len() > self.max_processes();
        if is_over && let Some(job) = self.jobs.get_mut(id) {
            job.row_of(node).set_queued();
        }
    }

    /// What waited at the launcher runs, or did: now people are told.
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

    /// Tells the launcher which ends are on disk, while processes are short: it uses what they have left again. What somebody
    /// wants to be stopped is looked at by name, so then nothing gets another one.
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

    /// Tells the launcher how many processes it may run at once, where that is news to it.
    pub(super) fn tell_room(&mut self) {
        if !self.environment.has_launcher() {
            return;
        }
        // Where no job runs, what waits there does not begin either.
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
