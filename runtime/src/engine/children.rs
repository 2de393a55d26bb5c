//! Sub-workflow jobs: made in the transaction that records the intent, ended into their parent's action.

use std::collections::BTreeMap;

use hpdlc_core::{definition::NodeId, status::JobStatus, step::Event};

use crate::{
    clock,
    engine::Engine,
    executors::{
        ActionError, Completion,
        sub_workflow::{MAX_DEPTH, SubWorkflow},
    },
    exit::RunError,
    job::Job,
    store::JobRow,
    submit,
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
        let name = self.jobs.get(id)?.def(node).name;
        self.jobs
            .values()
            .map(|job| &job.row)
            .find(|row| {
                row.parent_id.as_deref() == Some(id)
                    && row.parent_node.as_deref() == Some(name)
                    && row.parent_attempt == Some(i64::from(attempt))
            })
            .map(|row| row.id.clone())
    }
}
