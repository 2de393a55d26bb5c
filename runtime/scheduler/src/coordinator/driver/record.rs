//! What an event changes: told, put on disk in one transaction, and sent.

use hpdlc_core::{
    coordinator::{CoordinatorActionStatus, CoordinatorStatus, machine::Transition},
    status::JobStatus,
};
use hpdlc_engine::{
    control::{self, bundle_request::BundleRequest},
    notify::{
        self, NotificationSender,
        failure::{self, Failure},
    },
};
use hpdlc_host::{clock, exit::RunError};
use hpdlc_store::{
    StoreError,
    coordinators::{Changes, CoordinatorActionRow},
    query,
    writer::Batch,
};

use super::Driver;

impl Driver {
    pub(super) fn tell_job(&mut self, status: CoordinatorStatus) {
        let message = match status {
            CoordinatorStatus::Running => Some(self.row.app.clone()),
            _ => None,
        };
        self.journal.state(None, status.name(), message);
        let is_failure = matches!(
            status,
            CoordinatorStatus::Killed
                | CoordinatorStatus::Failed
                | CoordinatorStatus::DoneWithError
        );
        if is_failure {
            self.tell_failure(None, status.name());
        }
    }

    /// Of the job, or of an action whose workflow does not tell of it.
    fn tell_failure(&mut self, action: Option<u64>, status: &str) {
        let Some(settings) = self.settings() else {
            return;
        };
        let record = action.and_then(|number| self.known(number));
        let error = record.and_then(|record| record.error.as_ref());
        let failure = Failure {
            job: &self.row,
            action,
            status,
            node: None,
            error_code: error.map(|error| error.code.as_str()),
            error_message: error.map(|error| error.message.as_str()),
            mask: self.journal.mask(),
        };
        let notice = failure::of(failure, settings, clock::now_millis());
        self.notices.extend(notice);
    }

    pub(super) fn tell_action(&mut self, transition: &Transition) {
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
            let notices = notify::of_coordinator_action(&self.row, number, status, settings, now);
            self.notices.extend(notices);
        }
        let has_workflow = self.workflows.contains_key(&number);
        match transition.to {
            CoordinatorActionStatus::TimedOut => {
                self.tell_failure(Some(number), transition.to.name());
            }
            CoordinatorActionStatus::Failed if !has_workflow => {
                self.tell_failure(Some(number), transition.to.name());
            }
            _ => {}
        }
        let node = format!("@{number}");
        self.journal
            .state(Some(node), transition.to.name(), Some(message));
    }

    pub(super) fn is_clean(&self) -> bool {
        !self.dirty_job
            && self.dirty_actions.is_empty()
            && self.deleted.is_empty()
            && self.journal.is_clean()
            && self.slas.is_clean()
            && self.handled.is_empty()
            && self.new_jobs.is_empty()
            && self.new_runs.is_empty()
            && self.added.is_empty()
            && self.moved.is_none()
    }

    /// Puts everything that changed on disk, in one transaction.
    pub(super) fn commit(&mut self) -> Result<(), RunError> {
        if self.is_clean() {
            return Ok(());
        }
        let id = self.row.id.clone();
        let mut changes = Changes {
            revisions: std::mem::take(&mut self.added)
                .into_iter()
                .map(|row| (id.clone(), row))
                .collect(),
            deleted: std::mem::take(&mut self.deleted)
                .into_iter()
                .map(|number| (id.clone(), number))
                .collect(),
            unprepared: std::mem::take(&mut self.unprepared),
            moved: self.moved.take().into_iter().collect(),
            ..Changes::default()
        };
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
        let mut jobs = std::mem::take(&mut self.new_jobs);
        if std::mem::take(&mut self.dirty_job) {
            self.coordinator.record = self.state.job().clone();
            self.set_status();
            jobs.push(self.row.clone());
            changes.coordinators.push(self.coordinator.clone());
        }
        let above = self.news_above();
        if let Some(bundle) = &above {
            let told = BundleRequest::CoordinatorChanged.to_text();
            changes.commands.push((bundle.clone(), told));
        }
        let batch = Batch {
            jobs,
            log: self.journal.take_log(),
            handled: std::mem::take(&mut self.handled),
            new_runs: std::mem::take(&mut self.new_runs),
            slas: self.take_slas(),
            notices: std::mem::take(&mut self.notices),
            scheduled: changes,
            ..Batch::default()
        };
        let written = self.writer.commit(&batch);
        written.map_err(|error| self.store_failure(&error))?;
        if let Some(bundle) = above {
            control::rouse(&self.session, &bundle);
        }
        if !batch.notices.is_empty() {
            self.send_notices();
        }
        Ok(())
    }

    /// The bundle above, where it is to be told of a new state: one that runs looks by itself, but for a coordinator that was over.
    fn news_above(&mut self) -> Option<String> {
        let bundle = self.row.parent_id.clone()?;
        let status = self.state.job().status;
        let before = std::mem::replace(&mut self.told, status);
        if before == status {
            return None;
        }
        let goes_on_again = before.is_terminal() && !status.is_terminal();
        let job = query::job(self.writer.connection(), &bundle);
        match job {
            Ok(Some(job)) => (goes_on_again || job.status != JobStatus::Running).then_some(bundle),
            // It was purged.
            Ok(None) => None,
            Err(error) => {
                self.failure.get_or_insert(self.session.describe(error));
                None
            }
        }
    }

    /// Has sent what is on disk. Where no thread can be had, `recover` sends it.
    pub(super) fn send_notices(&mut self) {
        if self.sender.is_none() {
            let hash = self.session.program.hash;
            self.sender = NotificationSender::start(&self.session.home, &self.row.id, hash).ok();
        }
        if let Some(sender) = &self.sender {
            sender.look();
        }
    }

    /// The common columns of the job.
    fn set_status(&mut self) {
        let status = self.state.job().status;
        let has_work = self.state.actions().next().is_some();
        self.row.status = common_status(status, self.row.started.is_some(), has_work);
        if status.is_terminal() {
            self.row.ended.get_or_insert(clock::now_millis());
        } else {
            self.row.ended = None;
        }
    }

    pub(super) fn store_failure(&self, error: &StoreError) -> RunError {
        error.describe_to_owner(&self.session.home.store(), &self.row.id)
    }
}

/// The nearest state of a workflow's job: what whoever knows only workflows sees, and what says whether it needs an owner.
pub fn common_status(status: CoordinatorStatus, is_started: bool, has_work: bool) -> JobStatus {
    use CoordinatorStatus as C;
    match status {
        C::Prep | C::PrepPaused if is_started => JobStatus::Running,
        C::Prep | C::PrepPaused => JobStatus::Prep,
        C::Running | C::RunningWithError => JobStatus::Running,
        C::Paused | C::PausedWithError if has_work => JobStatus::Running,
        C::Paused
        | C::PausedWithError
        | C::PrepSuspended
        | C::Suspended
        | C::SuspendedWithError => JobStatus::Suspended,
        C::Succeeded => JobStatus::Succeeded,
        C::DoneWithError | C::Failed => JobStatus::Failed,
        C::Killed | C::Ignored => JobStatus::Killed,
    }
}
