//! Carrying out what other terminals ask of a coordinator.

use std::{
    rc::Rc,
    time::{Duration, Instant},
};

use hpdlc_core::coordinator::machine::{self, Event};
use hpdlc_engine::{
    control::coordinator_request::{
        CoordinatorRequest, CoordinatorRerun, CoordinatorUpdate, WorkflowChange,
    },
    detached_owner,
    job::rerun_plan::{self, Busy},
};
use hpdlc_host::{clock, exit::RunError};
use hpdlc_store::{
    CommandRow, JobRow,
    commands::Handled,
    coordinators::{self as rows, CoordinatorActionRow, Moved, RevisionRow},
    query,
};

use crate::coordinator::{
    Known, data,
    driver::{Driver, workflows::Workflow},
    known::Refused,
    plan,
    stored::definitions,
    submission::Revision,
};

/// How long a rerun waits for what the last run of a workflow has left alive; whoever asks waits a little longer.
const PATIENCE: Duration = Duration::from_secs(20);

impl Driver {
    /// Carries out the open commands, each as if the one before were long done; the answers share the transaction.
    pub(super) fn take_commands(&mut self) -> Result<(), RunError> {
        let commands = self
            .writer
            .commands()
            .map_err(|error| self.store_failure(&error))?;
        for CommandRow { id, verb, .. } in commands {
            let request = CoordinatorRequest::parse(&verb);
            if let Some(request) = &request
                && self.must_wait(id, request)?
            {
                // What comes after it waits too; it is looked at again.
                return Ok(());
            }
            self.postponed = None;
            let refusal = match request {
                Some(request) => self.obey(request).err(),
                None => {
                    // A newer executable may ask for what this one does not know.
                    let words = format!("unknown command `{verb}`");
                    self.journal.warn(None, words.clone());
                    Some(words)
                }
            };
            self.handled.push(Handled {
                id,
                time: clock::now_millis(),
                refusal,
            });
            // A row is selected by what the last command has made of it.
            self.commit()?;
            if self.has_moved {
                break;
            }
        }
        Ok(())
    }

    /// Whether a rerun has to wait for what the last runs of its workflows have left alive. What a dead owner was to end is
    /// ended by a new one meanwhile.
    fn must_wait(&mut self, id: i64, request: &CoordinatorRequest) -> Result<bool, RunError> {
        let CoordinatorRequest::Rerun(rerun) = request else {
            return Ok(false);
        };
        let mut waits = false;
        for (_, workflow) in self.workflows_of(rerun) {
            let busy =
                rerun_plan::busy(&self.session, self.writer.connection(), &workflow.root_id)?;
            if busy == Some(Busy::Canceling) {
                detached_owner::start(&self.session, &workflow)?;
            }
            waits |= busy.is_some();
        }
        if !waits {
            return Ok(false);
        }
        let (_, since) = *self.postponed.get_or_insert((id, Instant::now()));
        Ok(since.elapsed() < PATIENCE)
    }

    /// The workflows that have ended of actions that are to run again; none where the rerun will be refused.
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

    pub(super) fn as_known(&self) -> Known<'_> {
        Known {
            session: &self.session,
            connection: self.writer.connection(),
            row: &self.row,
            revisions: &self.revisions,
            definitions: &self.definitions,
            state: &self.state,
            is_started: self.is_started(),
        }
    }

    fn obey(&mut self, request: CoordinatorRequest) -> Result<(), Refused> {
        match request {
            CoordinatorRequest::Rerun(request) => return self.rerun(&request),
            CoordinatorRequest::Update(request) => return self.update(*request),
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
        self.carry_out(event)
    }

    fn carry_out(&mut self, event: Event) -> Result<(), Refused> {
        match self.apply(event) {
            Some(refusal) => Err(self.as_known().words(&refusal)),
            None => Ok(()),
        }
    }

    /// The workflow of an action was suspended, resumed, killed or rerun by itself, or has ended so.
    fn follow(&mut self, change: &WorkflowChange) {
        let WorkflowChange { action, workflow } = change;
        let connection = self.writer.connection();
        let row = rows::action(connection, self.id(), *action);
        let Ok(Some(row)) = row else { return };
        if row.workflow_id.as_ref() != Some(workflow) {
            // The action has had a new one since.
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
            self.dirty_job = true;
            self.apply(Event::RunsAgain(row.record));
        }
        self.attach(*action);
        if self.state.action(*action).is_none() && !self.dirty_actions.contains_key(action) {
            self.workflows.remove(action);
        }
    }

    /// Whether the workflow of an action that is over has come to another end than the action.
    fn has_run_since(&self, row: &CoordinatorActionRow) -> bool {
        let workflow = self.as_known().workflow_of(row).ok().flatten();
        workflow.is_some_and(|job| job.status.name() != row.record.status.name())
    }

    fn rerun(&mut self, request: &CoordinatorRerun) -> Result<(), Refused> {
        let known = self.as_known();
        known.check_rerun(request)?;
        let event = known.event(&CoordinatorRequest::Rerun(request.clone()))?;
        for (number, workflow) in self.workflows_of(request) {
            let busy = rerun_plan::busy(&self.session, self.writer.connection(), &workflow.root_id);
            if busy.map_err(|error| error.message)?.is_some() {
                return Err(format!(
                    "coordinator {}: workflow {} of action {number} has ended, and its owner is still at work: it ends processes; \
                     try again in a moment (E1018)",
                    self.row.id, workflow.id
                ));
            }
        }
        if !request.nocleanup && !request.failed {
            self.clean(request)?;
        }
        self.carry_out(event)?;
        // It may be over, or nobody may have begun it since.
        self.begin();
        self.dirty_job = true;
        Ok(())
    }

    /// Removes what the actions have put out (`CoordRerunXCommand.cleanupOutputEvents`).
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
            self.journal.note(Some(node), "CLEANUP", Some(uri.clone()));
            removed.push(uri);
        }
        Ok(())
    }

    /// Takes another definition, or other properties.
    fn update(&mut self, request: CoordinatorUpdate) -> Result<(), Refused> {
        let CoordinatorUpdate {
            hash,
            app,
            conf,
            texts,
        } = request;
        let stored_conf = serde_json::to_string(&conf).expect("a map of strings is JSON");
        let stored_texts = serde_json::to_string(&texts).expect("texts are JSON");
        let name = self.row.parent_node.as_deref();
        let revision = Revision::new(texts, conf, name, &self.session.site, hash.clone())?;
        let old = self.definitions.current();
        if let Some(refusal) = machine::refuses_update(self.state.job(), old, &revision.coordinator)
        {
            return Err(self.as_known().words(&refusal));
        }
        let number = self.state.job().revision + 1;
        self.revisions.insert(number, Rc::new(revision));
        self.journal.set_mask(self.mask());
        self.definitions = definitions(&self.revisions, number).ok_or_else(|| {
            format!(
                "coordinator {}: revision {number} is not there",
                self.row.id
            )
        })?;
        self.carry_out(Event::Update)?;
        self.added.push(RevisionRow {
            revision: number,
            hash: hash.clone(),
            created: clock::now_millis(),
            conf: stored_conf.clone(),
            texts: stored_texts,
        });
        self.dirty_job = true;
        let words = format!("revision {number}, definition {hash}");
        self.journal.note(None, "UPDATE", Some(words));
        self.has_moved = hash != self.session.program.hash;
        self.row.hash.clone_from(&hash);
        self.row.app.clone_from(&app);
        self.row.conf.clone_from(&stored_conf);
        self.moved = Some(Moved {
            job_id: self.row.id.clone(),
            hash,
            app,
            conf: stored_conf,
        });
        Ok(())
    }
}
