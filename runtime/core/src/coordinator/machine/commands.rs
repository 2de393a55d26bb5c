//! Suspending, resuming, killing and ignoring (`CoordSuspendXCommand`, `CoordResumeXCommand`, `CoordKillXCommand`,
//! `CoordActionsKillXCommand`, `CoordActionsIgnoreXCommand`).

use std::collections::BTreeSet;

use crate::coordinator::{
    CoordinatorActionStatus, CoordinatorStatus,
    machine::{
        ActionRecord, Command, CommandRefusal, CoordinatorEffect, RefusalKind, advance::Machine,
    },
};

pub(super) type Result<T> = std::result::Result<T, CommandRefusal>;

pub(super) fn refuse<T>(code: &'static str, message: impl Into<String>) -> Result<T> {
    Err(CommandRefusal {
        kind: RefusalKind::State,
        code,
        message: message.into(),
    })
}

impl Machine<'_> {
    pub(super) fn suspend(&mut self) -> Result<()> {
        let before = self.state.job.status;
        let status = match before.suspended() {
            Some(status) => status,
            None if before.is_terminal() => {
                return refuse(
                    "E0728",
                    format!("the coordinator is {before}: it is over and cannot be suspended"),
                );
            }
            None => return refuse("E0728", format!("the coordinator is {before} already")),
        };
        self.state.job.status = status;
        for number in self.numbers(|status| status == CoordinatorActionStatus::Running) {
            self.command(number, Command::Suspend);
        }
        Ok(())
    }

    pub(super) fn resume(&mut self) -> Result<()> {
        let before = self.state.job.status;
        let Some(status) = before.resumed() else {
            return refuse(
                "E1100",
                format!("the coordinator is {before}: only a suspended one can be resumed"),
            );
        };
        self.state.job.status = status;
        for number in self.numbers(|status| status == CoordinatorActionStatus::Suspended) {
            self.command(number, Command::Resume);
        }
        // Actions whose start was held back.
        for number in self.numbers(|status| status == CoordinatorActionStatus::Submitted) {
            self.step.effects.push(CoordinatorEffect::Start { number });
        }
        self.look_again();
        Ok(())
    }

    /// Processes what was reported while the coordinator was suspended, and checks everything again.
    pub(super) fn look_again(&mut self) {
        for number in self.numbers(|status| status == CoordinatorActionStatus::Waiting) {
            self.may_time_out(number);
        }
    }

    pub(super) fn kill(&mut self) -> Result<()> {
        let status = self.state.job.status;
        if status.is_terminal() {
            return refuse(
                "E1020",
                format!("the coordinator is {status}: it is over and cannot be killed"),
            );
        }
        self.state.job.status = CoordinatorStatus::Killed;
        self.state.job.is_done = true;
        for number in self.numbers(|status| !status.is_terminal()) {
            self.kill_action(number);
        }
        Ok(())
    }

    pub(super) fn kill_actions(&mut self, numbers: &BTreeSet<u64>) -> Result<()> {
        use CoordinatorStatus as C;
        let status = self.state.job.status;
        if matches!(
            status,
            C::Succeeded | C::Failed | C::DoneWithError | C::Killed | C::Ignored
        ) {
            return refuse(
                "E1020",
                format!("the coordinator is {status}: its actions are over"),
            );
        }
        let lives = |number: u64| {
            let status = self.status_of(number);
            status.is_some_and(|status| !status.is_terminal())
        };
        if !numbers.iter().any(|number| lives(*number)) {
            return refuse(
                "E1020",
                "every action that was selected is over or was never made",
            );
        }
        for &number in numbers {
            let lives = self
                .status_of(number)
                .is_some_and(|status| !status.is_terminal());
            if lives {
                self.kill_action(number);
            } else {
                self.step.passed_over.insert(number);
            }
        }
        Ok(())
    }

    fn kill_action(&mut self, number: u64) {
        let has_workflow = matches!(
            self.status_of(number),
            Some(
                CoordinatorActionStatus::Submitted
                    | CoordinatorActionStatus::Running
                    | CoordinatorActionStatus::Suspended
            )
        );
        if has_workflow {
            self.command(number, Command::Kill);
        } else {
            self.end_action(number, CoordinatorActionStatus::Killed);
        }
    }

    pub(super) fn ignore_actions(&mut self, records: Vec<ActionRecord>) -> Result<()> {
        use CoordinatorActionStatus as A;
        let status = self.state.job.status;
        if status == CoordinatorStatus::Prep {
            return refuse("E1024", "the coordinator is PREP: it has no actions yet");
        }
        if records.is_empty() {
            return refuse("E1024", "no action was selected");
        }
        let others: Vec<String> = records
            .iter()
            .filter(|record| !matches!(record.status, A::Failed | A::Killed | A::TimedOut))
            .map(|record| format!("{} is {}", record.number, record.status))
            .collect();
        if !others.is_empty() {
            return refuse(
                "E1024",
                format!(
                    "only FAILED, KILLED and TIMEDOUT actions can be ignored: {}",
                    others.join(", ")
                ),
            );
        }
        for record in records {
            let number = record.number;
            self.take_in(record);
            self.set_status(number, A::Ignored);
        }
        Ok(())
    }

    /// Loads an action that has ended into memory, for this step at least.
    pub(super) fn take_in(&mut self, record: ActionRecord) {
        if !self.state.actions.contains_key(&record.number) {
            self.state.insert(self.revisions, record);
        }
    }

    /// The numbers of the live actions in the given states.
    pub(super) fn numbers(&self, is_meant: fn(CoordinatorActionStatus) -> bool) -> Vec<u64> {
        self.state
            .actions()
            .filter(|record| is_meant(record.status))
            .map(|record| record.number)
            .collect()
    }
}
