//! Commits changes to the store, and then reports them to the user.

use hpdlc_host::{bell, exit::RunError, job_id};
use hpdlc_store::{coordinators::Changes, writer::Batch};

use crate::{
    engine::Engine,
    job_command::coordinator_request::{CoordinatorRequest, WorkflowChange},
    notify,
};

impl Engine {
    /// Commits all changes in one transaction.
    pub(super) fn commit(&mut self) -> Result<(), RunError> {
        if !self.is_clean() {
            let mut batch = Batch {
                jobs: std::mem::take(&mut self.new_jobs),
                asked: self
                    .asked
                    .iter()
                    .map(|(job, verb)| (job.id.clone(), verb.name()))
                    .collect(),
                log: std::mem::take(&mut self.log),
                handled: std::mem::take(&mut self.handled),
                new_runs: std::mem::take(&mut self.new_runs),
                notices: notify::collect(&self.news, |id| self.jobs.get(id), &self.site),
                scheduled: Changes {
                    unprepared: std::mem::take(&mut self.unprepared),
                    ..Changes::default()
                },
                ..Batch::default()
            };
            let above = self.news_above(&mut batch.scheduled)?;
            batch.notices.append(&mut self.sla_notices);
            batch.slas = self.take_dirty_slas();
            for id in std::mem::take(&mut self.dirty_jobs) {
                batch
                    .jobs
                    .extend(self.jobs.get(&id).map(|job| job.row.clone()));
            }
            for (id, node) in std::mem::take(&mut self.dirty_nodes) {
                let row = self.jobs.get(&id).and_then(|job| job.stored_row(node));
                batch.actions.extend(row.cloned());
            }
            let written = self.writer.commit(&batch);
            written.map_err(|error| self.store_failure(&error))?;
            for (job, _) in std::mem::take(&mut self.asked) {
                bell::ring(&self.home, &job.root_id);
            }
            if let Some(above) = above {
                self.environment.rouse(&above);
            }
            if !batch.notices.is_empty() {
                self.environment.send_notices();
            }
        }
        Ok(())
    }

    /// Adds the notification for the coordinator above the job at the top, to be written with the state that it reports; returns the
    /// coordinator.
    fn news_above(&mut self, changes: &mut Changes) -> Result<Option<String>, RunError> {
        let Some(known) = self.told_above else {
            return Ok(None);
        };
        let Some(row) = self.jobs.get(&self.root).map(|job| job.row.clone()) else {
            return Ok(None);
        };
        let above = row
            .parent_id
            .as_deref()
            .and_then(job_id::coordinator_action);
        let Some((coordinator, action)) = above.filter(|_| row.status != known) else {
            return Ok(None);
        };
        let job = self.writer.job(coordinator);
        let is_there = job.map_err(|error| self.store_failure(&error))?.is_some();
        self.told_above = Some(row.status);
        if !is_there {
            // It was purged.
            return Ok(None);
        }
        let told = CoordinatorRequest::WorkflowChanged(WorkflowChange {
            action,
            workflow: row.id.clone(),
        });
        let coordinator = coordinator.to_owned();
        changes.commands.push((coordinator.clone(), told.to_text()));
        Ok(Some(coordinator))
    }

    /// Shows the user what is on disk.
    pub(super) fn tell(&mut self) {
        for mut news in std::mem::take(&mut self.news) {
            // The store keeps messages as they are; what is shown is masked. A child's message may contain secrets of its parent.
            let masks = [&self.root, &news.id].map(|id| self.jobs.get(id).map(|job| &job.mask));
            news.message = news.message.take().map(|message| {
                masks
                    .into_iter()
                    .flatten()
                    .fold(message, |message, mask| mask.text(&message))
            });
            self.progress.event(&news);
        }
        self.progress.flush();
    }

    pub(super) fn is_clean(&self) -> bool {
        self.dirty_jobs.is_empty()
            && self.dirty_nodes.is_empty()
            && self.dirty_slas.is_empty()
            && self.log.is_empty()
            && self.handled.is_empty()
            && self.new_runs.is_empty()
            && self.new_jobs.is_empty()
            && self.asked.is_empty()
    }
}
