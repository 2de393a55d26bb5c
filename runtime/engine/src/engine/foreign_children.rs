//! Sub-workflows of other executables: the child's job is created here, in the transaction that records the intent, and driven by an owner
//! of its own. It is at the top of its own tree; a worker process starts it and waits for its end.

use hpdlc_core::status::JobStatus;
use hpdlc_executors::{
    Completion,
    sub_workflow::{self, SubWorkflow},
};
use hpdlc_host::exit::RunError;
use hpdlc_store::{JobRow, query::DefinitionRow};

use crate::{
    engine::{AttemptKey, Engine},
    job::rerun_plan::{self, RerunChoice},
    job_command::Verb,
};

impl Engine {
    /// Creates the job of a child that another executable runs, or finds it; returns whether the process that waits for it has to be
    /// started.
    pub(super) fn start_child_elsewhere(
        &mut self,
        key: &AttemptKey,
        child: &SubWorkflow,
    ) -> Result<bool, RunError> {
        let (id, node, attempt) = key;
        let Some(parent) = self.jobs.get(id) else {
            return Ok(false);
        };
        let (name, run) = (parent.def(*node).name, parent.row.run);
        let is_of_failed = rerun_plan::choice(&parent.view.conf) == Ok(RerunChoice::FailedNodes);
        let children = self
            .writer
            .children_elsewhere(id, name)
            .map_err(|error| self.store_failure(&error))?;
        let of_run = |row: &&JobRow, run: i64| row.parent_run.unwrap_or_default() == run;
        let existing = children
            .iter()
            .find(|row| of_run(row, run) && row.parent_attempt == Some(i64::from(*attempt)));
        // A rerun of the failed nodes runs the node's child of the previous run again.
        let former = children
            .iter()
            .filter(|row| *attempt == 1 && is_of_failed && run > 0 && of_run(row, run - 1))
            .max_by_key(|row| row.parent_attempt);
        let child_id = match existing.or(former) {
            Some(row) => row.id.clone(),
            None => {
                let Some(definition) = self.definition_of(child)? else {
                    self.completed(
                        key,
                        Completion::failed(sub_workflow::unknown(&child.app_path), "ERROR"),
                    );
                    return Ok(false);
                };
                if self.is_too_deep(key) {
                    return Ok(false);
                }
                let Some(row) = self.child_row(key, child)? else {
                    return Ok(false);
                };
                let child_id = row.id.clone();
                // Only its own executable knows what it needs.
                self.unprepared.push(child_id.clone());
                self.new_jobs.push(JobRow {
                    app: definition.app,
                    hash: definition.hash,
                    root_id: child_id.clone(),
                    ..row
                });
                child_id
            }
        };
        if let Some(parent) = self.jobs.get_mut(id) {
            parent.row_of(*node).external_id = Some(child_id);
            self.dirty_nodes.insert((id.clone(), *node));
        }
        Ok(true)
    }

    /// The executable registered for the child: by its URI, or by the name of its application.
    fn definition_of(&self, child: &SubWorkflow) -> Result<Option<DefinitionRow>, RunError> {
        let uri = child.app_path.trim();
        let found = match self.writer.registered(uri) {
            Ok(None) if !uri.contains(['/', ':']) => self.writer.registered_by_name(uri),
            found => found,
        };
        found.map_err(|error| self.store_failure(&error))
    }

    /// As [`Engine::suspend_parents`] if another process owns the parent.
    pub(super) fn suspend_parent_elsewhere(&mut self, row: &JobRow, parent: &str) {
        // If it cannot be read now it cannot be written either, and that is reported.
        let Ok(Some(parent)) = self.writer.job(parent) else {
            return;
        };
        if parent.status == JobStatus::Running && row.parent_run.unwrap_or_default() == parent.run {
            self.asked.push((parent, Verb::Suspend));
        }
    }
}
