//! The jobs of sub-workflow actions: which one belongs to an attempt, and what it is created with.

use chrono::{DateTime, Utc};
use hpdlc_core::{definition::NodeId, empty_parts::overlay};
use hpdlc_executors::sub_workflow::{MAX_DEPTH, SubWorkflow};
use hpdlc_program::{failure::ActionError, table::Program};
use hpdlc_store::{ActionRow, JobRow};

use crate::job::{
    Job,
    rerun_plan::{self, RerunChoice, RerunPlan},
    submission::{self, Submission},
};

/// An attempt of a sub-workflow action.
#[derive(Clone, Copy, Debug)]
pub struct ParentAttempt<'a> {
    pub job: &'a Job,
    pub node: NodeId,
    pub attempt: u32,
}

impl ParentAttempt<'_> {
    /// Whether a child was started by this attempt.
    pub fn is_parent_of(&self, row: &JobRow) -> bool {
        self.is_of_node(row, self.job.row.run)
            && row.parent_attempt == Some(i64::from(self.attempt))
    }

    fn is_of_node(&self, row: &JobRow, run: i64) -> bool {
        row.parent_id.as_deref() == Some(self.job.id())
            && row.parent_node.as_deref() == Some(self.job.def(self.node).name)
            && row.parent_run.unwrap_or_default() == run
    }

    /// The child that a rerun of the failed nodes runs again instead of a new one (`SubWorkflowActionExecutor`): the node's last child in
    /// the previous run.
    pub fn former<'r>(&self, rows: impl Iterator<Item = &'r JobRow>) -> Option<JobRow> {
        let row = &self.job.row;
        let is_of_failed = rerun_plan::choice(&self.job.view.conf) == Ok(RerunChoice::FailedNodes);
        if row.run == 0 || self.attempt != 1 || !is_of_failed {
            return None;
        }
        rows.filter(|child| self.is_of_node(child, row.run - 1) && child.status.is_terminal())
            .max_by_key(|child| child.parent_attempt)
            .cloned()
    }

    /// The error if a child would be nested too deep.
    pub fn depth_problem(&self) -> Option<ActionError> {
        (self.job.row.depth + 1 > MAX_DEPTH).then(|| {
            let problem = format!("sub-workflows are nested deeper than {MAX_DEPTH}");
            ActionError::error("SUBWF001", problem)
        })
    }

    /// The row of a new child, with the properties that it is given: the `number`-th job.
    pub fn row(&self, child: &SubWorkflow, number: i64, created: DateTime<Utc>) -> JobRow {
        let parent = &self.job.row;
        let id = hpdlc_host::job_id::workflow_job(number, created);
        JobRow {
            app_path: child.app_path.clone(),
            user: parent.user.clone(),
            conf: serde_json::to_string(&child.conf).expect("a map of strings is JSON"),
            hash: parent.hash.clone(),
            root_id: parent.root_id.clone(),
            parent_id: Some(parent.id.clone()),
            parent_node: Some(self.job.def(self.node).name.to_owned()),
            parent_attempt: Some(i64::from(self.attempt)),
            depth: parent.depth + 1,
            parent_run: Some(parent.run),
            ..JobRow::new(&id, created.timestamp_millis())
        }
    }

    /// The properties of a new child of an application that is compiled in.
    ///
    /// # Errors
    ///
    /// The child is refused (E0738).
    pub fn submission(
        &self,
        program: &Program,
        child: &SubWorkflow,
        app_index: usize,
    ) -> Result<Submission, ActionError> {
        let app = program.apps[app_index];
        let user = &self.job.row.user;
        submission::complete(app, child.conf.clone(), &child.app_path, user).map_err(|error| {
            let problem = format!("the sub-workflow cannot start: {}", error.line());
            ActionError::error("E0738", problem)
        })
    }

    /// The next run of a child that has ended and has left `actions`: its row, the properties in it, and what it skips.
    ///
    /// # Errors
    ///
    /// It cannot run again (E0738).
    pub fn further_run(
        &self,
        program: &Program,
        child: &SubWorkflow,
        app_index: usize,
        former: &JobRow,
        actions: &[ActionRow],
    ) -> Result<(JobRow, Submission, RerunPlan), ActionError> {
        let app = program.apps[app_index];
        let parent = &self.job.row;
        let mut given = rerun_plan::stored(&former.conf);
        overlay(&mut given, child.conf.clone());
        let (submission, plan) = submission::complete(app, given, &child.app_path, &parent.user)
            .map_err(|error| error.line())
            .and_then(|submission| {
                let choice = rerun_plan::choice(&submission.conf)?;
                let plan = rerun_plan::plan(app, actions, &choice, former.run + 1)?;
                Ok((submission, plan))
            })
            .map_err(|problem| {
                let problem = format!("the sub-workflow {} cannot be rerun: {problem}", former.id);
                ActionError::error("E0738", problem)
            })?;
        let row = JobRow {
            hash: parent.hash.clone(),
            app_index: i64::try_from(app_index).unwrap_or(i64::MAX),
            parent_attempt: Some(i64::from(self.attempt)),
            parent_run: Some(parent.run),
            ..rerun_plan::row(former, submission.clone(), &plan)
        };
        Ok((row, submission, plan))
    }
}

/// The row of a child with its completed properties.
pub fn with_submission(row: JobRow, submission: &Submission, app_index: usize) -> JobRow {
    JobRow {
        app: submission.app_name.clone(),
        app_path: submission.app_path.clone(),
        conf: serde_json::to_string(&submission.conf).expect("a map of strings is JSON"),
        app_index: i64::try_from(app_index).unwrap_or(i64::MAX),
        ..row
    }
}

/// The node and the attempt of `parent` that a child's end completes; `None` if nothing waits for it: it was rerun by itself.
pub fn waiting(child: &JobRow, parent: &Job) -> Option<(NodeId, u32)> {
    let (name, attempt) = (child.parent_node.as_deref()?, child.parent_attempt?);
    if parent.row.run != child.parent_run.unwrap_or_default() {
        return None;
    }
    let (node, _) = parent.app.nodes().find(|(_, def)| def.name == name)?;
    Some((node, u32::try_from(attempt).unwrap_or_default()))
}
