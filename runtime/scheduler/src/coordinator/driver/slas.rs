//! The service levels of the actions: evaluated when an action is created or runs again, and updated with its states.

use chrono::DateTime;
use hpdlc_core::coordinator::{
    Alerted, CoordinatorActionStatus,
    machine::{self, ActionFault, ActionRecord, ActionStatusChange, CoordinatorEvent},
};
use hpdlc_engine::{
    control::coordinator_request::SlaRequest,
    sla::{self, AlertSubject, Consequences, DueEvent},
};
use hpdlc_host::clock;
use hpdlc_store::slas as sla_rows;

use crate::{
    coordinator::{command_check::Refused, driver::CoordinatorDriver, service_levels::SlaChanges},
    event_loop::Supervisor,
};

impl CoordinatorDriver {
    /// Passes a new state of an action to its service level.
    ///
    /// # Errors
    ///
    /// The action was created, or is to run again, and its service level cannot be evaluated: the action fails.
    pub(super) fn tell_sla(&mut self, transition: &ActionStatusChange) -> Result<(), ActionFault> {
        let ActionStatusChange {
            number, from, to, ..
        } = *transition;
        let is_new = from.is_none_or(CoordinatorActionStatus::is_terminal)
            && to == CoordinatorActionStatus::Waiting;
        if is_new {
            return self.register(number);
        }
        let now = self.job.clock.now().timestamp_millis();
        let told = self.slas.action_changed(number, to, now);
        self.tell_events(&told);
        Ok(())
    }

    /// Checks the service levels that are due against the clock.
    pub(super) fn look_at_slas(&mut self) {
        let now = self.job.clock.now().timestamp_millis();
        if self.slas.next_look().is_some_and(|time| time <= now) {
            let told = self.slas.looked(now);
            self.tell_events(&told);
        }
    }

    /// Carries out a command on service levels.
    pub(super) fn change_slas(&mut self, request: &SlaRequest) -> Result<(), Refused> {
        let known = self.as_known();
        let SlaChanges { edits, update } = known.sla_changes(request)?;
        let revision = match &update {
            Some(update) => Some(known.revision_of(update)?),
            None => None,
        };
        for edit in &edits {
            if self.slas.edit(edit.number, |row| edit.apply(row)) {
                continue;
            }
            // It is over, and shown nevertheless.
            let connection = self.job.writer.connection();
            let stored = sla_rows::of_action(connection, &self.job.row.id, edit.number);
            if let Some(mut row) = stored.map_err(|error| format!("the store: {error}"))? {
                edit.apply(&mut row);
                self.job.batch.slas.push(row);
            }
        }
        let word = request.order.word().to_uppercase().replace('-', "_");
        let numbers: Vec<String> = edits.iter().map(|edit| edit.number.to_string()).collect();
        let words = match numbers.as_slice() {
            [] => "actions to come".to_owned(),
            numbers => format!("actions {}", numbers.join(", ")),
        };
        self.job.journal.note(None, &word, Some(words));
        match update.zip(revision) {
            Some((update, revision)) => self.revise(update, revision, CoordinatorEvent::ReviseSlas),
            None => Ok(()),
        }
    }

    fn register(&mut self, number: u64) -> Result<(), ActionFault> {
        let Some(record) = self.known(number) else {
            return Ok(());
        };
        let coordinator = self.definitions.of(record.revision);
        let id = format!("{}@{number}", self.job.row.id);
        // An action whose instances cannot be resolved fails anyway.
        let Ok(facts) = machine::facts(coordinator, record, id) else {
            return Ok(());
        };
        let Some(expected) = coordinator.sla_of(&facts) else {
            return Ok(());
        };
        let expected = expected.map_err(|error| ActionFault {
            code: error.oozie_code().to_owned(),
            message: format!("its SLA: {error}"),
        })?;
        let alerted = Alerted {
            coordinator_id: &self.job.row.id,
            coordinator_name: &self.job.row.app,
            number,
            nominal: DateTime::from_timestamp_millis(expected.nominal).unwrap_or(record.nominal),
        };
        let is_silent = self.settings().is_some_and(|settings| {
            let limit = sla::age_limit(settings);
            alerted.is_silent(settings.conf, limit, self.job.clock.now())
        });
        let job = self.job.row.id.clone();
        self.slas.register(&job, number, expected, is_silent);
        Ok(())
    }

    fn tell_events(&mut self, told: &[DueEvent<u64>]) {
        for &DueEvent { part, event } in told {
            let Some(number) = part else {
                continue;
            };
            let (Some(row), Some(settings)) = (self.slas.row(part), self.settings()) else {
                continue;
            };
            let status = self
                .known(number)
                .map_or("WAITING", |record| record.status.name());
            let subject = AlertSubject {
                job: &self.job.row,
                row,
                event,
                status,
                mask: self.job.journal.mask(),
            };
            let Consequences {
                words,
                note,
                notices,
            } = sla::consequences(subject, settings, clock::now_millis());
            self.job.batch.notices.extend(notices);
            let node = Some(format!("@{number}"));
            self.job
                .journal
                .note(node.clone(), event.name(), Some(words));
            if let Some(note) = note {
                self.job.journal.note(node, "NOTE", Some(note));
            }
        }
    }

    /// Adds the changed rows to the transaction, with due times by the machine's clock, the only one that other processes have.
    pub(super) fn take_slas(&mut self) {
        for mut row in self.slas.take_written() {
            row.due = row.due.map(|due| self.job.clock.real(due));
            self.job.batch.slas.push(row);
        }
    }

    /// An action as this step has left it, even if it is over.
    pub(super) fn known(&self, number: u64) -> Option<&ActionRecord> {
        let record = self.dirty_actions.get(&number);
        record.or_else(|| self.state.action(number))
    }
}
