//! Sub-workflow jobs: created in the transaction that records the intent; their end completes their parent's action.

use std::collections::BTreeMap;

use hpdlc_core::{definition::NodeId, empty_parts::overlay, status::JobStatus, step::Event};
use hpdlc_executors::{
    Completion,
    sub_workflow::{MAX_DEPTH, SubWorkflow},
};
use hpdlc_host::{exit::RunError, settings::Settings};
use hpdlc_program::failure::ActionError;
use hpdlc_store::{JobRow, NewRun, runs};

use crate::{
    engine::{AttemptKey, Engine},
    job::submission,
    job::{
        Job,
        rerun_plan::{self, RerunChoice},
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
        let Some(parent) = self.jobs.get(id) else {
            return Ok(false);
        };
        let app = self.program.apps[app_index];
        let given: BTreeMap<String, String> = child.conf.clone();
        let submission = match submission::complete(app, given, &child.app_path, &parent.row.user) {
            Ok(submission) => submission,
            Err(error) => {
                let error =
                    ActionError::error("E0738", format!("the sub-workflow cannot start: {error}"));
                self.completed(&key, Completion::failed(error, "-"));
                return Ok(false);
            }
        };
        let Some(row) = self.child_row(&key, child)? else {
            return Ok(false);
        };
        let row = JobRow {
            app: submission.app_name,
            app_path: submission.app_path,
            conf: serde_json::to_string(&submission.conf).expect("a map of strings is JSON"),
            app_index: i64::try_from(app_index).unwrap_or(i64::MAX),
            ..row
        };
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

    /// The row of a child job in the parent's own tree.
    pub(super) fn child_row(
        &self,
        (id, node, attempt): &AttemptKey,
        child: &SubWorkflow,
    ) -> Result<Option<JobRow>, RunError> {
        let created = self.environment.now();
        let number = self
            .writer
            .next_job_number()
            .map_err(|error| self.store_failure(&error))?;
        let Some(parent) = self.jobs.get(id) else {
            return Ok(None);
        };
        let id_of_child = hpdlc_host::job_id::workflow_job(number, created);
        Ok(Some(JobRow {
            app_path: child.app_path.clone(),
            user: parent.row.user.clone(),
            conf: serde_json::to_string(&child.conf).expect("a map of strings is JSON"),
            hash: parent.row.hash.clone(),
            root_id: parent.row.root_id.clone(),
            parent_id: Some(id.clone()),
            parent_node: Some(parent.def(*node).name.to_owned()),
            parent_attempt: Some(i64::from(*attempt)),
            depth: parent.row.depth + 1,
            parent_run: Some(parent.row.run),
            ..JobRow::new(&id_of_child, created.timestamp_millis())
        }))
    }

    /// Fails the action if its child would be nested too deep.
    pub(super) fn is_too_deep(&mut self, key: &AttemptKey) -> bool {
        let depth = self.jobs.get(&key.0).map_or(0, |job| job.row.depth + 1);
        let is_too_deep = depth > MAX_DEPTH;
        if is_too_deep {
            let problem = format!("sub-workflows are nested deeper than {MAX_DEPTH}");
            let error = ActionError::error("SUBWF001", problem);
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
        let row = &job.row;
        let (Some(parent), Some(node), Some(attempt)) = (
            row.parent_id.clone(),
            row.parent_node.clone(),
            row.parent_attempt,
        ) else {
            return;
        };
        // One that was rerun by itself has no parent waiting for it.
        let parent_run = self.jobs.get(&parent).map(|parent| parent.row.run);
        if parent_run != Some(row.parent_run.unwrap_or_default()) {
            return;
        }
        let message = row.error_message.clone();
        let last_error = row.last_error_node.as_deref().and_then(|name| {
            job.rows()
                .find(|row| row.name == name)
                .and_then(|row| row.error_message.clone())
        });
        let completion = if status == JobStatus::Succeeded {
            Completion::ok(status.name())
        } else {
            let mut problem = format!("sub-workflow job {id} ended {status}");
            if let Some(message) = message.or(last_error) {
                problem.push_str(": ");
                problem.push_str(&message);
            }
            // Oozie sets no error code for a failed child.
            Completion::failed(ActionError::error("", problem), status.name())
        };
        let Some(parent_job) = self.jobs.get(&parent) else {
            return;
        };
        let Some((node, _)) = parent_job.app.nodes().find(|(_, def)| def.name == node) else {
            return;
        };
        let key = (parent, node, u32::try_from(attempt).unwrap_or_default());
        self.completed(&key, completion);
    }

    fn child_of(&self, id: &str, node: NodeId, attempt: u32) -> Option<String> {
        let parent = self.jobs.get(id)?;
        let (name, run) = (parent.def(node).name, parent.row.run);
        self.jobs
            .values()
            .map(|job| &job.row)
            .find(|row| {
                row.parent_id.as_deref() == Some(id)
                    && row.parent_node.as_deref() == Some(name)
                    && row.parent_attempt == Some(i64::from(attempt))
                    && row.parent_run.unwrap_or_default() == run
            })
            .map(|row| row.id.clone())
    }

    /// The child that a rerun of the failed nodes runs again instead of a new one (`SubWorkflowActionExecutor`): the node's last child in
    /// the previous run.
    fn former_child(&self, id: &str, node: NodeId, attempt: u32) -> Option<JobRow> {
        let parent = self.jobs.get(id)?;
        let is_of_failed = rerun_plan::choice(&parent.view.conf) == Ok(RerunChoice::FailedNodes);
        if parent.row.run == 0 || attempt != 1 || !is_of_failed {
            return None;
        }
        let (name, run) = (parent.def(node).name, parent.row.run - 1);
        let rows = self.jobs.values().map(|job| &job.row).chain(&self.former);
        rows.filter(|row| {
            row.parent_id.as_deref() == Some(id)
                && row.parent_node.as_deref() == Some(name)
                && row.parent_run.unwrap_or_default() == run
                && row.status.is_terminal()
        })
        .max_by_key(|row| row.parent_attempt)
        .cloned()
    }

    fn rerun_child(
        &mut self,
        key: AttemptKey,
        child: &SubWorkflow,
        app_index: usize,
        former: JobRow,
    ) -> Result<(), RunError> {
        let (id, node, attempt) = &key;
        let actions = self
            .writer
            .actions_of(&former.id)
            .map_err(|error| self.store_failure(&error))?;
        let Some(parent) = self.jobs.get(id) else {
            return Ok(());
        };
        let app = self.program.apps[app_index];
        let mut given = rerun_plan::stored(&former.conf);
        overlay(&mut given, child.conf.clone());
        let run = former.run + 1;
        let planned = submission::complete(app, given, &child.app_path, &parent.row.user)
            .map_err(|error| error.to_string())
            .and_then(|submission| {
                let choice = rerun_plan::choice(&submission.conf)?;
                let plan = rerun_plan::plan(app, &actions, &choice, run)?;
                Ok((submission, plan))
            });
        let (submission, plan) = match planned {
            Ok(planned) => planned,
            Err(problem) => {
                let problem = format!("the sub-workflow {} cannot be rerun: {problem}", former.id);
                let error = ActionError::error("E0738", problem);
                self.completed(&key, Completion::failed(error, "-"));
                return Ok(());
            }
        };
        let settings = Settings {
            conf: &submission.conf,
            site: &self.site,
        };
        let slas = sla::registered(&former.id, &submission.slas, settings);
        let row = JobRow {
            hash: parent.row.hash.clone(),
            app_index: i64::try_from(app_index).unwrap_or(i64::MAX),
            parent_attempt: Some(i64::from(*attempt)),
            parent_run: Some(parent.row.run),
            ..rerun_plan::row(&former, submission, &plan)
        };
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
