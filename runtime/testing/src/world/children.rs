//! Children: jobs of the same world, created and rerun as the engine does it.

use hpdlc_core::{definition::NodeId, status::JobStatus, step::Event};
use hpdlc_engine::job::{
    Job,
    child::{self, ParentAttempt},
};
use hpdlc_executors::{
    Completion,
    sub_workflow::{self, SubWorkflow},
};
use hpdlc_program::failure::ActionError;
use hpdlc_store::runs;

use crate::world::{AttemptKey, World};

impl World {
    /// Starts the child of an attempt, or fails the action where there is none. Returns false if all ways are visited and the child is
    /// in another executable: its end is one of the ways.
    pub(super) fn start_child(&mut self, key: &AttemptKey, child: &SubWorkflow) -> bool {
        let Some(app_index) = child.app_index else {
            if self.explorer.is_some() {
                return false;
            }
            let error = sub_workflow::unknown(&child.app_path);
            self.completed(key, Completion::failed(error, "-"));
            return true;
        };
        let (id, node, _) = key;
        let parent = self.parent(key);
        if self.jobs().any(|job| parent.is_parent_of(&job.row)) {
            return true;
        }
        let place = self.place(id, *node);
        let former = parent.former(self.jobs().map(|job| &job.row));
        let job = match (former, parent.depth_problem()) {
            (Some(former), _) => self.further_child(key, child, app_index, &former.id),
            (None, Some(problem)) => Err(problem),
            (None, None) => self.new_child(key, child, app_index),
        };
        match job {
            Ok(job) => {
                let child_id = job.id().to_owned();
                self.enter(job, place);
                if let Some(parent) = self.jobs.get_mut(id) {
                    parent.row_of(*node).external_id = Some(child_id.clone());
                }
                self.apply(&child_id, Event::Start);
            }
            Err(error) => self.completed(key, Completion::failed(error, "-")),
        }
        true
    }

    fn parent(&self, (id, node, attempt): &AttemptKey) -> ParentAttempt<'_> {
        ParentAttempt {
            job: &self.jobs[id],
            node: *node,
            attempt: *attempt,
        }
    }

    fn new_child(
        &mut self,
        key: &AttemptKey,
        child: &SubWorkflow,
        app_index: usize,
    ) -> Result<Job, ActionError> {
        let (number, created) = (self.next_number(), self.time());
        let parent = self.parent(key);
        let submission = parent.submission(self.program, child, app_index)?;
        let row = parent.row(child, number, created);
        let row = child::with_submission(row, &submission, app_index);
        let job = Job::in_folder(self.program, &self.ground.app, None, row);
        job.map_err(|problem| ActionError::error("E0738", problem))
    }

    /// The next run of the child with this id.
    fn further_child(
        &self,
        key: &AttemptKey,
        child: &SubWorkflow,
        app_index: usize,
        former: &str,
    ) -> Result<Job, ActionError> {
        let former = &self.jobs[former];
        let rows: Vec<_> = former.rows().cloned().collect();
        let parent = self.parent(key);
        let planned = parent.further_run(self.program, child, app_index, &former.row, &rows);
        let (row, _, plan) = planned?;
        let kept = runs::kept(rows, &plan.stored_skips(), row.run - 1);
        let job = Job::in_folder(self.program, &self.ground.app, None, row);
        job.and_then(|job| job.with_rows(kept))
            .map_err(|problem| ActionError::error("E0738", problem))
    }

    /// Kills the child of an attempt with its parent.
    pub(super) fn kill_child(&mut self, id: &str, node: NodeId, attempt: u32) {
        let parent = self.parent(&(id.to_owned(), node, attempt));
        let child = self.jobs().find(|job| parent.is_parent_of(&job.row));
        if let Some(child) = child.map(|job| job.id().to_owned()) {
            self.apply(&child, Event::Kill);
        }
    }

    /// A child that was suspended by a node suspends its parent.
    pub(super) fn suspend_parent(&mut self, id: &str) {
        let row = &self.jobs[id].row;
        let Some(parent) = row
            .parent_id
            .as_ref()
            .and_then(|parent| self.jobs.get(parent))
        else {
            return;
        };
        if row.parent_run.unwrap_or_default() == parent.row.run {
            let parent = parent.id().to_owned();
            self.apply(&parent, Event::Suspend);
        }
    }

    /// A job has ended: completes its parent's action.
    pub(super) fn finished(&mut self, id: &str, status: JobStatus) {
        let job = &self.jobs[id];
        let waiting = job.row.parent_id.as_ref().and_then(|parent| {
            let (node, attempt) = child::waiting(&job.row, self.jobs.get(parent)?)?;
            Some((parent.clone(), node, attempt))
        });
        if let Some(key) = waiting {
            let completion = job.completion(status);
            self.completed(&key, completion);
        }
    }
}
