//! The results of the workflows of actions (`CoordActionUpdateXCommand`).

use crate::{
    coordinator::{
        CoordinatorActionStatus,
        machine::{ActionFault, Command, CoordinatorEffect, advance::Machine},
    },
    status::JobStatus,
};

impl Machine<'_> {
    /// Processes a status report of the workflow of an action.
    pub(super) fn workflow(&mut self, number: u64, status: JobStatus) {
        use CoordinatorActionStatus as A;
        let Some(record) = self.state.action(number) else {
            return;
        };
        let command = record.command;
        if command.is_some_and(|command| !confirms(command, status)) {
            // The report is older than the command.
            return;
        }
        self.set_command(number, None);
        let has_workflow = matches!(
            self.status_of(number),
            Some(A::Submitted | A::Running | A::Suspended)
        );
        if !has_workflow {
            return;
        }
        let status = match status {
            JobStatus::Prep => return,
            JobStatus::Running => A::Running,
            JobStatus::Suspended => A::Suspended,
            JobStatus::Succeeded => A::Succeeded,
            JobStatus::Killed => A::Killed,
            JobStatus::Failed => A::Failed,
        };
        let was_submitted = self.status_of(number) == Some(A::Submitted);
        self.set_status(number, status);
        if was_submitted && status == A::Running && self.state.is_suspended() {
            // It was starting when the coordinator was suspended.
            self.command(number, Command::Suspend);
        }
    }

    pub(super) fn not_made(&mut self, number: u64, error: ActionFault) {
        use CoordinatorActionStatus as A;
        if let Some(A::Waiting | A::Ready | A::Submitted) = self.status_of(number) {
            self.fail_action(number, &error.code, error.message);
        }
    }

    /// Passes a command on to the workflow of an action, and changes the action's own state at once.
    pub(super) fn command(&mut self, number: u64, command: Command) {
        let status = match command {
            Command::Suspend => CoordinatorActionStatus::Suspended,
            Command::Resume => CoordinatorActionStatus::Running,
            Command::Kill => CoordinatorActionStatus::Killed,
        };
        self.set_command(number, Some(command));
        self.set_status(number, status);
        self.step
            .effects
            .push(CoordinatorEffect::Command { number, command });
    }

    pub(super) fn set_command(&mut self, number: u64, command: Option<Command>) {
        let Some(before) = self.state.action(number).map(|record| record.command) else {
            return;
        };
        if before == command {
            return;
        }
        if let Some(record) = self.record(number) {
            record.command = command;
        }
        self.state.count_command(before, false);
        self.state.count_command(command, true);
    }
}

/// Whether a workflow in this state has obeyed the command, or is past it.
fn confirms(command: Command, status: JobStatus) -> bool {
    status.is_terminal() || status == command.expected()
}
