//! Rerunning actions (`CoordRerunXCommand`).

use crate::coordinator::{
    CoordinatorActionStatus, CoordinatorStatus,
    machine::{
        ActionRecord, CommandRefusal, CoordinatorState, Inputs, Rerun,
        advance::Machine,
        commands::{Result, refuse},
        state::Timer,
    },
};

impl CoordinatorState {
    /// Why these actions cannot be rerun; to be called before their outputs are removed.
    pub fn refuses_rerun(&self, actions: &[ActionRecord]) -> Option<CommandRefusal> {
        self.check_rerun(actions).err()
    }

    /// Whether these actions are over, and workflows of some are still being killed: then it is too early to rerun them.
    pub fn awaits_kill(&self, actions: &[ActionRecord]) -> bool {
        // The record in memory is newer than any row.
        let newest = || {
            actions
                .iter()
                .map(|record| self.action(record.number).unwrap_or(record))
        };
        newest().all(|record| record.status.is_terminal())
            && newest().any(|record| record.command.is_some())
    }

    fn check_rerun(&self, actions: &[ActionRecord]) -> Result<()> {
        let status = self.job.status;
        if matches!(status, CoordinatorStatus::Prep | CoordinatorStatus::Ignored) {
            return refuse(
                "E1018",
                format!("the coordinator is {status}: its actions cannot be run again"),
            );
        }
        if actions.is_empty() {
            return refuse("E1018", "no action was selected");
        }
        let going_on: Vec<String> = actions
            .iter()
            .filter_map(|record| {
                // The record in memory is newer than any row.
                let record = self.action(record.number).unwrap_or(record);
                if !record.status.is_terminal() {
                    return Some(format!("{} is {}", record.number, record.status));
                }
                let is_killed = record.command.is_some();
                is_killed
                    .then(|| format!("the workflow of {} is still being killed", record.number))
            })
            .collect();
        if going_on.is_empty() {
            return Ok(());
        }
        refuse(
            "E1018",
            format!(
                "only actions that are over can be run again: {}",
                going_on.join(", ")
            ),
        )
    }
}

impl Machine<'_> {
    pub(super) fn rerun(&mut self, actions: Vec<ActionRecord>, how: Rerun) -> Result<()> {
        use CoordinatorStatus as C;
        self.state.check_rerun(&actions)?;
        self.state.job.status = match self.state.job.status {
            C::Suspended | C::Prep | C::PrepSuspended => C::Running,
            C::SuspendedWithError | C::Ignored => C::RunningWithError,
            C::PrepPaused => C::Paused,
            status => status.reopened(),
        };
        for record in actions {
            self.rerun_action(record, how);
        }
        Ok(())
    }

    /// The user has directly rerun the workflow of an action that has ended: the action continues, and so does a coordinator that
    /// has ended (`CoordActionUpdateXCommand`). The user's `suspend`, `pause` and `ignore` of the coordinator stay in force.
    pub(super) fn runs_again(&mut self, record: ActionRecord) {
        let number = record.number;
        let known = self.state.action(number).unwrap_or(&record);
        let is_ignored = self.state.job.status == CoordinatorStatus::Ignored;
        if is_ignored || !known.is_at_rest() {
            return;
        }
        self.state.job.status = self.state.job.status.reopened();
        self.take_in(record);
        if let Some(record) = self.record(number) {
            record.error = None;
        }
        self.set_status(number, CoordinatorActionStatus::Running);
    }

    fn rerun_action(&mut self, record: ActionRecord, how: Rerun) {
        let number = record.number;
        let (now, revision) = (self.now, self.state.job.revision);
        let timeout = self.revisions.current().controls.timeout;
        self.take_in(record);
        let Some(record) = self.record(number) else {
            return;
        };
        record.run += 1;
        record.error = None;
        record.keeps_workflow = how.failed;
        if how.refresh {
            record.created = now;
            record.revision = revision;
            record.timeout = timeout;
            record.inputs = Inputs::default();
        }
        record.since = record.nominal.max(now);
        let nominal = record.nominal;
        self.set_status(number, CoordinatorActionStatus::Waiting);
        self.state.add_timer(number, nominal, Timer::Begin);
    }
}
