//! Service levels while the owner drives: changes are passed to them, and their events are recorded and notified.

use std::collections::BTreeSet;

use hpdlc_core::{definition::NodeId, status::JobStatus};
use hpdlc_store::SlaRow;

use crate::{
    engine::Engine,
    sla::{self, AlertSubject, Consequences, DueEvent},
};

impl Engine {
    /// Notifies the service levels of a job of the changes of a step.
    pub(super) fn tell_slas(
        &mut self,
        id: &str,
        begins: bool,
        changed: &BTreeSet<NodeId>,
        now: i64,
    ) {
        let Some(job) = self.jobs.get_mut(id).filter(|job| !job.slas.is_empty()) else {
            return;
        };
        let mut told = Vec::new();
        if begins {
            told.extend(job.slas.job_began(job.row.started.unwrap_or(now)));
        }
        for &node in changed {
            if job.slas.row(Some(node)).is_some() {
                let row = job.row_of(node).clone();
                told.extend(job.slas.node_changed(node, &row, now));
            }
        }
        if job.row.status.is_terminal() {
            let has_succeeded = job.row.status == JobStatus::Succeeded;
            let at = job.row.ended.unwrap_or(now);
            told.extend(job.slas.job_ended(at, has_succeeded));
        }
        self.record_slas(id, &told, now);
    }

    /// Checks every service level against the clock.
    pub(super) fn look_at_slas(&mut self) {
        let now = self.now();
        let watched = self.jobs.iter().filter(|(_, job)| !job.slas.is_empty());
        let ids: Vec<String> = watched.map(|(id, _)| id.clone()).collect();
        for id in ids {
            if let Some(job) = self.jobs.get_mut(&id) {
                let told = job.slas.looked(now);
                self.record_slas(&id, &told, now);
            }
        }
    }

    /// Marks changed service levels to be written, and reports their events.
    fn record_slas(&mut self, id: &str, told: &[DueEvent], now: i64) {
        for told in told {
            self.tell_sla(id, *told, now);
        }
        if self.jobs.get(id).is_some_and(|job| !job.slas.is_clean()) {
            self.dirty_slas.insert(id.to_owned());
        }
    }

    fn tell_sla(&mut self, id: &str, DueEvent { part: node, event }: DueEvent, now: i64) {
        let (Some(job), Some(settings)) = (self.jobs.get(id), self.settings(id)) else {
            return;
        };
        let Some(row) = job.slas.row(node) else {
            return;
        };
        let action = node.and_then(|node| job.stored_row(node));
        let subject = AlertSubject {
            job: &job.row,
            row,
            event,
            status: match (node, action) {
                (None, _) => job.row.status.name(),
                (Some(_), Some(action)) => action.shown_status().name(),
                (Some(_), None) => "PREP",
            },
            mask: &job.mask,
        };
        let Consequences {
            words,
            note,
            notices,
        } = sla::consequences(subject, settings, now);
        self.sla_notices.extend(notices);
        self.note(id, node, event.name(), &words);
        if let Some(note) = note {
            self.note(id, node, "NOTE", &note);
        }
    }

    /// The changed service levels of all jobs.
    pub(super) fn take_dirty_slas(&mut self) -> Vec<SlaRow> {
        let mut rows = Vec::new();
        for id in std::mem::take(&mut self.dirty_slas) {
            if let Some(job) = self.jobs.get_mut(&id) {
                rows.extend(job.slas.take_dirty());
            }
        }
        rows
    }
}
