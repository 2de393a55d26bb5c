//! Sub-workflow jobs: made in the transaction that records the intent, ended into their parent's action.

use std::collections::BTreeMap;

use hpdlc_core::{app_uri::normalized, definition::NodeId, status::JobStatus, step::Event};

use crate::{
    clock,
    engine::{Engine, Key},
    executors::{
        ActionError, Completion,
        sub_workflow::{MAX_DEPTH, NOT_COMPILED_IN, SubWorkflow},
    },
    exit::RunError,
    files::Access,
    job::Job,
    rerun::{self, Choice},
    store::{JobRow, NewRun, runs},
    submit,
    table::{Action, Body, NodeKind},
    view::NodeScope,
};

impl Engine {
    /// Makes and starts the child job of an attempt; finds it where an earlier owner made it.
    pub(super) fn start_child(
        &mut self,
        id: &str,
        node: NodeId,
        attempt: u32,
        child: &SubWorkflow,
    ) -> Result<(), RunError> {
        let key = (id.to_owned(), node, attempt);
        if let Some(existing) = self.child_of(id, node, attempt) {
            // A child that has ended told its parent in the same transaction.
            debug_assert!(self.jobs.contains_key(&existing));
            return Ok(());
        }
        if let Some(former) = self.former_child(id, node, attempt) {
            return self.rerun_child(key, child, former);
        }
        let created = clock::now();
        let number = self
            .writer
            .next_job_number()
            .map_err(|error| self.store_failure(&error))?;
        let Some(parent) = self.jobs.get(id) else {
            return Ok(());
        };
        let depth = parent.row.depth + 1;
        if depth > MAX_DEPTH {
            let problem = format!("sub-workflows are nested deeper than {MAX_DEPTH}");
            let error = ActionError::error("SUBWF001", problem);
            self.completed(&key, Completion::failed(error, "-"));
            return Ok(());
        }
        let app = self.program.apps[child.app_index];
        let given: BTreeMap<String, String> = child.conf.clone();
        let submission = match submit::complete(app, given, &child.app_path, &parent.row.user) {
            Ok(submission) => submission,
            Err(error) => {
                let error =
                    ActionError::error("E0738", format!("the sub-workflow cannot start: {error}"));
                self.completed(&key, Completion::failed(error, "-"));
                return Ok(());
            }
        };
        let row = JobRow {
            id: crate::ids::workflow_job(number, created),
            app: submission.app_name,
            app_path: submission.app_path,
            user: parent.row.user.clone(),
            status: JobStatus::Prep,
            run: 0,
            created: created.timestamp_millis(),
            started: None,
            ended: None,
            conf: serde_json::to_string(&submission.conf).expect("a map of strings is JSON"),
            hash: parent.row.hash.clone(),
            app_index: i64::try_from(child.app_index).unwrap_or(i64::MAX),
            root_id: parent.row.root_id.clone(),
            parent_id: Some(id.to_owned()),
            parent_node: Some(parent.def(node).name.to_owned()),
            parent_attempt: Some(i64::from(attempt)),
            depth,
            last_error_node: None,
            error_code: None,
            error_message: None,
            epoch: 0,
            owner_pid: None,
            parent_run: Some(parent.row.run),
        };
        let child_id = row.id.clone();
        let job = Job::new(self.program, &self.home, row).map_err(RunError::machine)?;
        self.jobs.insert(child_id.clone(), job);
        if let Some(parent) = self.jobs.get_mut(id) {
            parent.row_of(node).external_id = Some(child_id.clone());
            self.dirty_nodes.insert((id.to_owned(), node));
        }
        self.apply(&child_id, Event::Start);
        Ok(())
    }

    /// Kills the child of an attempt with its parent, in the same transaction.
    pub(super) fn kill_child(&mut self, id: &str, node: NodeId, attempt: u32) {
        if let Some(child) = self.child_of(id, node, attempt) {
            self.apply(&child, Event::Kill);
        }
    }

    /// A job has ended: its row is complete, and its parent's action is over.
    pub(super) fn job_finished(&mut self, id: &str, status: JobStatus) {
        let Some(job) = self.jobs.get(id) else { return };
        // A file system may take long to answer whoever still evaluates.
        job.cancel_all();
        let row = &job.row;
        let (Some(parent), Some(node), Some(attempt)) = (
            row.parent_id.clone(),
            row.parent_node.clone(),
            row.parent_attempt,
        ) else {
            return;
        };
        // One that was rerun by itself has no parent that waits for it.
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

    /// Says of a sub-workflow that is not compiled in whether another executable is registered for it: its job would need an
    /// owner of its own, and this one starts none.
    pub(super) fn look_into_registry(&self, id: &str, node: NodeId, error: &mut ActionError) {
        let Some(job) = self.jobs.get(id).filter(|_| error.code == NOT_COMPILED_IN) else {
            return;
        };
        let NodeKind::Action(Action {
            body: Body::SubWorkflow(sub),
            ..
        }) = &job.def(node).kind
        else {
            return;
        };
        let scope = NodeScope {
            view: &job.view,
            node: job.def(node).name,
            origin: job.app.origin(node),
            access: &Access::default(),
        };
        let app_path = sub.settings.required("app-path");
        let registered = app_path.evaluate(&scope).ok().and_then(|uri| {
            self.writer
                .registered(&normalized(uri.trim()))
                .ok()
                .flatten()
        });
        if let Some(definition) = registered {
            error.message.push_str(&format!(
                "; the executable of {} is registered for it ({}), and a sub-workflow of another executable is not started \
                 by this version of hpdlc",
                definition.app, definition.program
            ));
        }
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

    /// The child that a rerun of the failed nodes runs again instead of a new one (`SubWorkflowActionExecutor`): the last
    /// that the node had in the run before.
    fn former_child(&self, id: &str, node: NodeId, attempt: u32) -> Option<JobRow> {
        let parent = self.jobs.get(id)?;
        let is_of_failed = rerun::choice(&parent.view.conf) == Ok(Choice::FailedNodes);
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
        key: Key,
        child: &SubWorkflow,
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
        let app = self.program.apps[child.app_index];
        let mut given = rerun::stored(&former.conf);
        given.extend(child.conf.clone());
        let run = former.run + 1;
        let planned = submit::complete(app, given, &child.app_path, &parent.row.user)
            .map_err(|error| error.to_string())
            .and_then(|submission| {
                let choice = rerun::choice(&submission.conf)?;
                let plan = rerun::plan(app, &actions, &choice, run)?;
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
        let row = JobRow {
            app: submission.app_name,
            app_path: submission.app_path,
            status: JobStatus::Prep,
            run,
            started: None,
            ended: None,
            conf: serde_json::to_string(&submission.conf).expect("a map of strings is JSON"),
            hash: parent.row.hash.clone(),
            app_index: i64::try_from(child.app_index).unwrap_or(i64::MAX),
            parent_attempt: Some(i64::from(*attempt)),
            parent_run: Some(parent.row.run),
            last_error_node: None,
            error_code: None,
            error_message: None,
            ..former
        };
        let child_id = row.id.clone();
        let skipped = plan.stored_skips();
        let kept = runs::kept(actions, &skipped, run - 1);
        let job =
            Job::load(self.program, &self.home, row.clone(), kept).map_err(RunError::machine)?;
        self.new_runs.push(NewRun { job: row, skipped });
        self.former.retain(|row| row.id != child_id);
        self.jobs.insert(child_id.clone(), job);
        self.dirty_nodes.insert((id.clone(), *node));
        if let Some(parent) = self.jobs.get_mut(id) {
            parent.row_of(*node).external_id = Some(child_id.clone());
        }
        let why = format!("run {run}; what ended well is not run again");
        self.note(&child_id, None, "RERUN", &why);
        self.apply(&child_id, Event::Start);
        Ok(())
    }
}
