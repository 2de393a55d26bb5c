//! The changes of an event: logged, committed in one transaction, and notified.

use hpdlc_core::{
    coordinator::{
        CoordinatorActionStatus, CoordinatorStatus,
        machine::{self, ActionStatusChange, CoordinatorEffect, CoordinatorEvent, CoordinatorStep},
    },
    status::JobStatus,
};
use hpdlc_engine::{
    control::{self, bundle_request::BundleRequest},
    notify,
};
use hpdlc_host::{clock, exit::RunError};
use hpdlc_store::{coordinators::CoordinatorActionRow, query};

use crate::{coordinator::driver::CoordinatorDriver, event_loop::Supervisor};

impl CoordinatorDriver {
    /// Applies an event, in memory; returns the refusal, if there is one.
    pub(super) fn apply(&mut self, event: CoordinatorEvent) -> Option<machine::CommandRefusal> {
        let before = self.state.job().status;
        let now = self.job.clock.now();
        let CoordinatorStep {
            job_changed,
            actions,
            deleted,
            transitions,
            effects,
            refusal,
            passed_over: _,
        } = machine::step(&self.definitions, &mut self.state, now, event);
        if refusal.is_some() {
            return refusal;
        }
        self.job.is_dirty |= job_changed;
        for (number, record) in actions {
            self.deleted.remove(&number);
            self.dirty_actions.insert(number, record);
        }
        for number in deleted {
            self.dirty_actions.remove(&number);
            self.workflows.remove(&number);
            self.slas.forget(number);
            self.deleted.insert(number);
        }
        let status = self.state.job().status;
        if status != before && !status.is_terminal() {
            self.tell_job(status);
        }
        let mut unmade = Vec::new();
        for transition in transitions {
            self.tell_action(&transition);
            if let Err(error) = self.tell_sla(&transition) {
                unmade.push((transition.number, error));
            }
        }
        for (number, error) in unmade {
            self.apply(CoordinatorEvent::NotMade { number, error });
        }
        if status != before && status.is_terminal() {
            self.tell_job(status);
        }
        for effect in effects {
            match effect {
                CoordinatorEffect::Submit {
                    number,
                    keeps_workflow,
                } => self.submit(number, keeps_workflow),
                effect @ (CoordinatorEffect::Start { .. }
                | CoordinatorEffect::Command { .. }
                | CoordinatorEffect::Look { .. }
                | CoordinatorEffect::Search { .. }
                | CoordinatorEffect::Forget { .. }
                | CoordinatorEffect::Finished(_)) => self.job.after.push(effect),
            }
        }
        None
    }

    fn tell_job(&mut self, status: CoordinatorStatus) {
        if let Some(revision) = self.revisions.get(&self.state.job().revision) {
            self.job.tell_status(status, None, &revision.conf);
        }
    }

    /// Reports the failure of an action whose workflow does not report it.
    fn tell_failure(&mut self, action: u64, status: &str) {
        let record = self.known(action);
        let error = record.and_then(|record| record.error.clone());
        if let Some(revision) = self.revisions.get(&self.state.job().revision) {
            let conf = &revision.conf;
            self.job
                .tell_failure(Some(action), status, error.as_ref(), conf);
        }
    }

    fn tell_action(&mut self, transition: &ActionStatusChange) {
        let number = transition.number;
        let zone = self.definitions.current().job.processing_zone();
        let mut message = zone.write(transition.nominal);
        let record = self.known(number);
        match transition.to {
            CoordinatorActionStatus::Failed => {
                if let Some(error) = record.and_then(|record| record.error.as_ref()) {
                    message.push_str(&format!(" {}: {}", error.code, error.message));
                }
            }
            CoordinatorActionStatus::Running
            | CoordinatorActionStatus::Succeeded
            | CoordinatorActionStatus::Killed => {
                if let Some(workflow) = self.workflows.get(&number) {
                    message.push_str(&format!(" {}", workflow.id));
                }
            }
            _ => {}
        }
        if let Some(settings) = self.settings() {
            let (status, now) = (transition.to.name(), clock::now_millis());
            let notices =
                notify::of_coordinator_action(&self.job.row, number, status, settings, now);
            self.job.batch.notices.extend(notices);
        }
        let has_workflow = self.workflows.contains_key(&number);
        let is_untold = transition.to == CoordinatorActionStatus::TimedOut
            || transition.to == CoordinatorActionStatus::Failed && !has_workflow;
        if is_untold {
            self.tell_failure(number, transition.to.name());
        }
        let node = format!("@{number}");
        self.job
            .journal
            .state(Some(node), transition.to.name(), Some(message));
    }

    /// Commits all changes in one transaction.
    pub(super) fn record(&mut self) -> Result<(), RunError> {
        let id = self.job.row.id.clone();
        let changes = &mut self.job.batch.scheduled;
        let deleted = std::mem::take(&mut self.deleted).into_iter();
        changes.deleted = deleted.map(|number| (id.clone(), number)).collect();
        for (number, record) in std::mem::take(&mut self.dirty_actions) {
            let is_over = record.is_at_rest();
            let workflow_id = self.workflows.get(&number).map(|live| live.id.clone());
            let row = CoordinatorActionRow {
                record,
                workflow_id,
            };
            changes.actions.push((id.clone(), row));
            if is_over && self.state.action(number).is_none() {
                self.workflows.remove(&number);
            }
        }
        if std::mem::take(&mut self.job.is_dirty) {
            self.coordinator.record = self.state.job().clone();
            let has_work = self.state.actions().next().is_some();
            self.job.set_status(self.state.job().status, has_work);
            let batch = &mut self.job.batch;
            batch.jobs.push(self.job.row.clone());
            batch.scheduled.coordinators.push(self.coordinator.clone());
        }
        let above = self.news_above();
        if let Some(bundle) = &above {
            let told = BundleRequest::CoordinatorChanged.to_text();
            let commands = &mut self.job.batch.scheduled.commands;
            commands.push((bundle.clone(), told));
        }
        self.take_slas();
        self.job.write()?;
        if let Some(bundle) = above {
            control::rouse(&self.job.session, &bundle);
        }
        Ok(())
    }

    /// The bundle above, if it has to be notified of a new state: a running one polls, except for a coordinator that was over.
    fn news_above(&mut self) -> Option<String> {
        let bundle = self.job.row.parent_id.clone()?;
        let status = self.state.job().status;
        let before = std::mem::replace(&mut self.told, status);
        if before == status {
            return None;
        }
        let goes_on_again = before.is_terminal() && !status.is_terminal();
        let job = query::job(self.job.writer.connection(), &bundle);
        match job {
            Ok(Some(job)) => (goes_on_again || job.status != JobStatus::Running).then_some(bundle),
            // It was purged.
            Ok(None) => None,
            Err(error) => {
                self.job
                    .failure
                    .get_or_insert(self.job.session.describe(error));
                None
            }
        }
    }
}
