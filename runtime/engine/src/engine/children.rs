//! Sub-workflow jobs: created in the transaction that records the intent; their end completes their parent's action.

use hpdlc_core::{definition::NodeId, status::JobStatus, step::Event};
use hpdlc_executors::{Completion, sub_workflow::SubWorkflow};
use hpdlc_host::{exit::RunError, settings::Settings};
use hpdlc_store::{JobRow, NewRun, runs};

use crate::{
    engine::{AttemptKey, Engine},
    job::{
        Job,
        child::{self, ParentAttempt},
    },
    sla::{self, Slas},
};

impl Engine {
    /// Creates and starts the child job of an attempt, or finds it if an earlier owner created it. Returns whether a process has to be
    /// started that waits for it.
    pub(super) fn start_child(
        &mut self,
        id: &str,
        node: NodeId,
        attempt: u32,
        child: &SubWorkflow,
    ) -> Result<bool, RunError> {
        let key = (id.to_owned(), node, attempt);
        let Some(app_index) = child.app_index else {
            return self.start_child_elsewhere(&key, child);
        };
        if let Some(existing) = self.child_of(id, node, attempt) {
            // The end of a child was applied to its parent in the same transaction.
            debug_assert!(self.jobs.contains_key(&existing));
            return Ok(false);
        }
        if let Some(former) = self.former_child(id, node, attempt) {
            self.rerun_child(key, child, app_index, former)?;
            return Ok(false);
        }
        if self.is_too_deep(&key) {
            return Ok(false);
        }
        let Some(parent) = self.parent(&key) else {
            return Ok(false);
        };
        let submission = match parent.submission(self.program, child, app_index) {
            Ok(submission) => submission,
            Err(error) => {
                self.completed(&key, Completion::failed(error, "-"));
                return Ok(false);
            }
        };
        let Some(row) = self.child_row(&key, child)? else {
            return Ok(false);
        };
        let row = child::with_submission(row, &submission, app_index);
        let child_id = row.id.clone();
        let mut job = Job::new(self.program, &self.home, row).map_err(RunError::machine)?;
        let settings = Settings {
            conf: &submission.conf,
            site: &self.site,
        };
        let slas = sla::registered(&child_id, &submission.slas, settings);
        job.slas = Slas::new(job.app, slas);
        self.jobs.insert(child_id.clone(), job);
        if let Some(parent) = self.jobs.get_mut(id) {
            parent.row_of(node).external_id = Some(child_id.clone());
            self.dirty_nodes.insert((id.to_owned(), node));
        }
        self.apply(&child_id, Event::Start);
        Ok(false)
    }

    fn parent(&self, (id, node, attempt): &AttemptKey) -> Option<ParentAttempt<'_>> {
        Some(ParentAttempt {
            job: self.jobs.get(id)?,
            node: *node,
            attempt: *attempt,
        })
    }

    /// The row of a child job in the parent's own tree.
    pub(super) fn child_row(
        &self,
        key: &AttemptKey,
        child: &SubWorkflow,
    ) -> Result<Option<JobRow>, RunError> {
        let created = self.environment.now();
        let number = self
            .writer
            .next_job_number()
            .map_err(|error| self.store_failure(&error))?;
        Ok(self
            .parent(key)
            .map(|parent| parent.row(child, number, created)))
    }

    /// Fails the action if its child would be nested too deep.
    pub(super) fn is_too_deep(&mut self, key: &AttemptKey) -> bool {
        let problem = self.parent(key).and_then(|parent| parent.depth_problem());
        let is_too_deep = problem.is_some();
        if let Some(error) = problem {
            self.completed(key, Completion::failed(error, "-"));
        }
        is_too_deep
    }

    /// Kills the child of an attempt with its parent, in the same transaction.
    pub(super) fn kill_child(&mut self, id: &str, node: NodeId, attempt: u32) {
        if let Some(child) = self.child_of(id, node, attempt) {
            self.apply(&child, Event::Kill);
        }
    }

    /// A job has ended: completes its row and its parent's action.
    pub(super) fn job_finished(&mut self, id: &str, status: JobStatus) {
        let Some(job) = self.jobs.get(id) else { return };
        // A file system may be slow to answer evaluations still running.
        job.cancel_all();
        let completion = job.completion(status);
        let waiting = job.row.parent_id.as_ref().and_then(|parent| {
            let (node, attempt) = child::waiting(&job.row, self.jobs.get(parent)?)?;
            Some((parent.clone(), node, attempt))
        });
        if let Some(key) = waiting {
            self.completed(&key, completion);
        }
    }

    fn child_of(&self, id: &str, node: NodeId, attempt: u32) -> Option<String> {
        let parent = self.parent(&(id.to_owned(), node, attempt))?;
        let mut rows = self.jobs.values().map(|job| &job.row);
        rows.find(|row| parent.is_parent_of(row))
            .map(|row| row.id.clone())
    }

    /// See [`ParentAttempt::former`].
    fn former_child(&self, id: &str, node: NodeId, attempt: u32) -> Option<JobRow> {
        let parent = self.parent(&(id.to_owned(), node, attempt))?;
        parent.former(self.jobs.values().map(|job| &job.row).chain(&self.former))
    }

    fn rerun_child(
        &mut self,
        key: AttemptKey,
        child: &SubWorkflow,
        app_index: usize,
        former: JobRow,
    ) -> Result<(), RunError> {
        let (id, node, _) = &key;
        let actions = self
            .writer
            .actions_of(&former.id)
            .map_err(|error| self.store_failure(&error))?;
        let Some(parent) = self.parent(&key) else {
            return Ok(());
        };
        let planned = parent.further_run(self.program, child, app_index, &former, &actions);
        let (row, submission, plan) = match planned {
            Ok(planned) => planned,
            Err(error) => {
                self.completed(&key, Completion::failed(error, "-"));
                return Ok(());
            }
        };
        let run = row.run;
        let settings = Settings {
            conf: &submission.conf,
            site: &self.site,
        };
        let slas = sla::registered(&former.id, &submission.slas, settings);
        let child_id = row.id.clone();
        let skipped = plan.stored_skips();
        let kept = runs::kept(actions, &skipped, run - 1);
        let mut job =
            Job::load(self.program, &self.home, row.clone(), kept).map_err(RunError::machine)?;
        let watched = runs::runs_again(&slas, &skipped).cloned().collect();
        job.slas = Slas::stored(job.app, watched, false);
        self.new_runs.push(NewRun {
            job: row,
            skipped,
            slas,
        });
        self.former.retain(|row| row.id != child_id);
        self.jobs.insert(child_id.clone(), job);
        self.dirty_nodes.insert((id.clone(), *node));
        if let Some(parent) = self.jobs.get_mut(id) {
            parent.row_of(*node).external_id = Some(child_id.clone());
        }
        let why = format!("run {run}; what ended OK is not run again");
        self.note(&child_id, None, "RERUN", &why);
        self.apply(&child_id, Event::Start);
        Ok(())
    }
}
