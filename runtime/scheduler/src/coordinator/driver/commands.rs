//! Carries out commands from other terminals on a coordinator.

use std::{
    rc::Rc,
    time::{Duration, Instant},
};

use hpdlc_core::coordinator::machine::{self, CoordinatorEvent};
use hpdlc_engine::{
    control::coordinator_request::{
        CoordinatorRequest, CoordinatorRerun, CoordinatorUpdate, WorkflowChange,
    },
    detached_owner,
    job::rerun_plan::{self, Busy},
};
use hpdlc_host::{clock, exit::RunError};
use hpdlc_store::{
    JobRow,
    coordinators::{self as rows, CoordinatorActionRow, Moved, RevisionRow},
    query,
};

use crate::coordinator::{
    KnownCoordinator,
    command_check::Refused,
    data,
    driver::{CoordinatorDriver, workflows::Workflow},
    plan,
    stored::definitions,
    submission::Revision,
};

/// How long a rerun waits for what is alive of a workflow's last run; the caller waits a little longer.
const PATIENCE: Duration = Duration::from_secs(20);

impl CoordinatorDriver {
    /// Whether a rerun has to wait for workflows that are still being killed, or for what is alive of their last runs. If an owner died before
    /// it ended their processes, a new one does so meanwhile.
    pub(super) fn must_wait(
        &mut self,
        id: i64,
        request: &CoordinatorRequest,
    ) -> Result<bool, RunError> {
        let CoordinatorRequest::Rerun(rerun) = request else {
            return Ok(false);
        };
        let mut waits = self.as_known().awaits_kill(rerun);
        for (_, workflow) in self.workflows_of(rerun) {
            let busy = rerun_plan::busy(
                &self.job.session,
                self.job.writer.connection(),
                &workflow.root_id,
            )?;
            if busy == Some(Busy::Canceling) {
                detached_owner::start(&self.job.session, &workflow)?;
            }
            waits |= busy.is_some();
        }
        if !waits {
            return Ok(false);
        }
        let (_, since) = *self.postponed.get_or_insert((id, Instant::now()));
        Ok(since.elapsed() < PATIENCE)
    }

    /// The ended workflows of actions that are to run again; none if the rerun will be refused.
    fn workflows_of(&self, request: &CoordinatorRerun) -> Vec<(u64, JobRow)> {
        let known = self.as_known();
        if known.check_rerun(request).is_err() {
            return Vec::new();
        }
        let selected = known.select(&request.selection).unwrap_or_default();
        let of = |row: &CoordinatorActionRow| known.workflow_of(row).ok().flatten();
        let workflows = selected
            .iter()
            .filter_map(|row| Some((row.record.number, of(row)?)));
        workflows.collect()
    }

    pub(super) fn as_known(&self) -> KnownCoordinator<'_> {
        KnownCoordinator {
            session: &self.job.session,
            connection: self.job.writer.connection(),
            row: &self.job.row,
            revisions: &self.revisions,
            definitions: &self.definitions,
            state: &self.state,
            is_started: self.job.is_started(),
        }
    }

    /// Carries out a command.
    pub(super) fn carry_out(&mut self, request: CoordinatorRequest) -> Result<(), Refused> {
        match request {
            CoordinatorRequest::Rerun(request) => return self.rerun(&request),
            CoordinatorRequest::Update(request) => return self.update(*request),
            CoordinatorRequest::Sla(request) => return self.change_slas(&request),
            CoordinatorRequest::WorkflowChanged(change) => {
                self.follow(&change);
                return Ok(());
            }
            CoordinatorRequest::Start
            | CoordinatorRequest::Suspend
            | CoordinatorRequest::Resume
            | CoordinatorRequest::Kill
            | CoordinatorRequest::KillActions(_)
            | CoordinatorRequest::IgnoreActions(_)
            | CoordinatorRequest::Ignore
            | CoordinatorRequest::Change(_) => {}
        }
        let event = self.as_known().event(&request)?;
        if request == CoordinatorRequest::Start {
            self.begin();
        }
        self.let_happen(event)
    }

    fn let_happen(&mut self, event: CoordinatorEvent) -> Result<(), Refused> {
        match self.apply(event) {
            Some(refusal) => Err(self.as_known().words(&refusal)),
            None => Ok(()),
        }
    }

    /// Handles the notification that the workflow of an action was suspended, resumed, killed or rerun by itself, or has ended thereafter.
    fn follow(&mut self, change: &WorkflowChange) {
        let WorkflowChange { action, workflow } = change;
        let connection = self.job.writer.connection();
        let row = rows::action(connection, self.job.id(), *action);
        let Ok(Some(row)) = row else { return };
        if row.workflow_id.as_ref() != Some(workflow) {
            // The action has a new workflow since.
            return;
        }
        let is_over = match query::job(connection, workflow) {
            Ok(Some(job)) => job.status.is_terminal(),
            Ok(None) | Err(_) => return,
        };
        self.workflows
            .entry(*action)
            .or_insert_with(|| Workflow::found(workflow.clone()));
        if row.record.is_at_rest() && (!is_over || self.has_run_since(&row)) {
            self.begin();
            self.job.is_dirty = true;
            self.apply(CoordinatorEvent::RunsAgain(row.record));
        }
        self.attach(*action);
        if self.state.action(*action).is_none() && !self.dirty_actions.contains_key(action) {
            self.workflows.remove(action);
        }
    }

    /// Whether the workflow of an action that is over has another final state than the action.
    fn has_run_since(&self, row: &CoordinatorActionRow) -> bool {
        let workflow = self.as_known().workflow_of(row).ok().flatten();
        workflow.is_some_and(|job| job.status.name() != row.record.status.name())
    }

    fn rerun(&mut self, request: &CoordinatorRerun) -> Result<(), Refused> {
        let known = self.as_known();
        known.check_rerun(request)?;
        let event = known.event(&CoordinatorRequest::Rerun(request.clone()))?;
        for (number, workflow) in self.workflows_of(request) {
            let busy = rerun_plan::busy(
                &self.job.session,
                self.job.writer.connection(),
                &workflow.root_id,
            );
            if busy.map_err(|error| error.message)?.is_some() {
                return Err(format!(
                    "coordinator {}: workflow {} of action {number} has ended, and its owner is still at work: it ends processes; \
                     try again in a moment (E1018)",
                    self.job.row.id, workflow.id
                ));
            }
        }
        if !request.nocleanup && !request.failed {
            self.clean(request)?;
        }
        self.let_happen(event)?;
        // It may be over, or may not have been started since.
        self.begin();
        self.job.is_dirty = true;
        Ok(())
    }

    /// Removes the output of the actions (`CoordRerunXCommand.cleanupOutputEvents`).
    fn clean(&mut self, request: &CoordinatorRerun) -> Result<(), Refused> {
        let outputs = plan::outputs(&self.as_known(), request)?;
        let Some(settings) = plan::access(&self.as_known()) else {
            return Ok(());
        };
        let mut removed: Vec<String> = Vec::new();
        for (number, uri) in outputs {
            data::remove(&uri, &settings).map_err(|problem| {
                let before = match removed.as_slice() {
                    [] => "nothing was removed and nothing was run again".to_owned(),
                    before => format!(
                        "nothing was run again, and this was removed before: {}",
                        before.join(", ")
                    ),
                };
                format!(
                    "the output of action {number} cannot be removed: {problem}; {before} (E0907)"
                )
            })?;
            let node = format!("@{number}");
            self.job
                .journal
                .note(Some(node), "CLEANUP", Some(uri.clone()));
            removed.push(uri);
        }
        Ok(())
    }

    /// Changes to another definition, or to other properties.
    fn update(&mut self, request: CoordinatorUpdate) -> Result<(), Refused> {
        let revision = self.as_known().revision_of(&request)?;
        let old = self.definitions.current();
        if let Some(refusal) = machine::refuses_update(self.state.job(), old, &revision.coordinator)
        {
            return Err(self.as_known().words(&refusal));
        }
        self.revise(request, revision, CoordinatorEvent::Update)
    }

    /// Makes another revision the current one.
    pub(super) fn revise(
        &mut self,
        request: CoordinatorUpdate,
        revision: Revision,
        event: CoordinatorEvent,
    ) -> Result<(), Refused> {
        let CoordinatorUpdate {
            hash,
            app,
            conf,
            texts,
        } = request;
        let stored_conf = serde_json::to_string(&conf).expect("a map of strings is JSON");
        let stored_texts = serde_json::to_string(&texts).expect("texts are JSON");
        let number = self.state.job().revision + 1;
        self.revisions.insert(number, Rc::new(revision));
        self.job.journal.set_mask(self.mask());
        self.definitions = definitions(&self.revisions, number).ok_or_else(|| {
            format!(
                "coordinator {}: revision {number} is not there",
                self.job.row.id
            )
        })?;
        self.let_happen(event)?;
        let row = RevisionRow {
            revision: number,
            hash: hash.clone(),
            created: clock::now_millis(),
            conf: stored_conf.clone(),
            texts: stored_texts,
        };
        let changes = &mut self.job.batch.scheduled;
        changes.revisions.push((self.job.row.id.clone(), row));
        self.job.is_dirty = true;
        let words = format!("revision {number}, definition {hash}");
        self.job.journal.note(None, "UPDATE", Some(words));
        self.has_moved = hash != self.job.session.program.hash;
        self.job.row.hash.clone_from(&hash);
        self.job.row.app.clone_from(&app);
        self.job.row.conf.clone_from(&stored_conf);
        self.job.batch.scheduled.moved.push(Moved {
            job_id: self.job.row.id.clone(),
            hash,
            app,
            conf: stored_conf,
        });
        Ok(())
    }
}
