//! Carries out commands from other terminals, and propagates suspensions to parents.

use hpdlc_core::{status::JobStatus, step::Event};
use hpdlc_host::exit::RunError;
use hpdlc_store::{CommandRow, commands::Handled};

use crate::{engine::Engine, job_command::Verb};

impl Engine {
    /// Carries out the queued commands, each as if the one before were long done; the answers share the transaction. They wait until it is
    /// known what the launcher has started by itself.
    pub(super) fn take_commands(&mut self) -> Result<(), RunError> {
        let commands = self
            .writer
            .commands()
            .map_err(|error| self.store_failure(&error))?;
        if !commands.is_empty() && self.is_uncertain() {
            self.ahead.has_commands = true;
            self.withdraw_followers();
            return Ok(());
        }
        for CommandRow { id, job_id, verb } in commands {
            let refusal = self.obey(&job_id, &verb);
            self.settle_all()?;
            self.handled.push(Handled {
                id,
                time: self.now(),
                refusal,
            });
        }
        Ok(())
    }

    /// Returns the refusal if the job's state does not allow the command.
    fn obey(&mut self, id: &str, verb: &str) -> Option<String> {
        let Some(verb) = Verb::from_name(verb) else {
            // A newer executable may send a command unknown to this one.
            let words = format!("unknown command `{verb}`");
            self.note(id, None, "WARNING", &words);
            return Some(words);
        };
        let Some(job) = self.jobs.get(id) else {
            return Some(format!(
                "job {id} belongs to another version of the workflow, and has ended"
            ));
        };
        if let Some(words) = verb.refusal(id, job.state.status) {
            return Some(words);
        }
        self.apply(id, verb.event());
        None
    }

    /// A job that was suspended by a command suspends its parents; one that is suspended after a failure does not (`SuspendXCommand`).
    pub(super) fn suspend_parents(&mut self, id: &str) {
        let Some(row) = self.jobs.get(id).map(|job| &job.row) else {
            return;
        };
        let Some(parent) = row.parent_id.clone() else {
            return;
        };
        if !self.jobs.contains_key(&parent) {
            let row = row.clone();
            return self.suspend_parent_elsewhere(&row, &parent);
        }
        let is_its_run = self
            .jobs
            .get(&parent)
            .is_some_and(|parent| row.parent_run.unwrap_or_default() == parent.row.run);
        if is_its_run {
            self.apply(&parent, Event::Suspend);
        }
    }

    pub(super) fn is_running_job(&self, id: &str) -> bool {
        self.jobs
            .get(id)
            .is_some_and(|job| job.state.status == JobStatus::Running)
    }
}
