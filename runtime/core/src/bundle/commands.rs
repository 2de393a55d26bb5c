//! Starting, suspending, resuming, killing and rerunning (`BundleJobSuspendXCommand`, `BundleJobResumeXCommand`,
//! `BundleKillXCommand`, `BundleRerunXCommand`).

use std::collections::BTreeSet;

use super::{BundleEffect, Machine};
use crate::coordinator::{
    CoordinatorStatus,
    machine::{CommandRefusal, RefusalKind, Scope},
};

fn refuse<T>(code: &'static str, message: String) -> Result<T, CommandRefusal> {
    Err(CommandRefusal {
        kind: RefusalKind::State,
        code,
        message,
    })
}

impl Machine<'_> {
    pub(super) fn start_now(&mut self) -> Result<(), CommandRefusal> {
        let status = self.state.record.status;
        if status != CoordinatorStatus::Prep {
            return refuse(
                "E1100",
                format!("the bundle is {status}: only one in PREP can be started"),
            );
        }
        self.start();
        Ok(())
    }

    pub(super) fn suspend(&mut self) -> Result<(), CommandRefusal> {
        use CoordinatorStatus as C;
        let before = self.state.record.status;
        // Its coordinators may have suspended themselves; the user may still suspend it too.
        let by_itself = matches!(before, C::Suspended | C::SuspendedWithError)
            && !self.state.record.is_suspended;
        let status = match before.suspended() {
            Some(status) => status,
            None if by_itself => before,
            None if before.is_terminal() => {
                return refuse(
                    "E1312",
                    format!("the bundle is {before}: it is over and cannot be suspended"),
                );
            }
            None => return refuse("E1312", format!("the bundle is {before} already")),
        };
        self.state.record.status = status;
        self.state.record.is_suspended = true;
        for name in self.names(|status| {
            matches!(
                status,
                C::Prep
                    | C::PrepPaused
                    | C::Running
                    | C::RunningWithError
                    | C::Paused
                    | C::PausedWithError
            )
        }) {
            self.step.effects.push(BundleEffect::Suspend { name });
        }
        Ok(())
    }

    pub(super) fn resume(&mut self) -> Result<(), CommandRefusal> {
        use CoordinatorStatus as C;
        let before = self.state.record.status;
        let Some(status) = before.resumed() else {
            return refuse(
                "E1100",
                format!("the bundle is {before}: only a suspended one can be resumed"),
            );
        };
        self.state.record.status = status;
        self.state.record.is_suspended = false;
        for name in self.names(|status| {
            matches!(
                status,
                C::PrepSuspended | C::Suspended | C::SuspendedWithError
            )
        }) {
            // Until it reports, the bundle must not be suspended because of the old state.
            if let Some(status) = self.state.coordinators.get_mut(&name) {
                *status = status.and_then(C::resumed);
            }
            self.step.effects.push(BundleEffect::Resume { name });
        }
        Ok(())
    }

    pub(super) fn kill(&mut self) -> Result<(), CommandRefusal> {
        let status = self.state.record.status;
        if status.is_terminal() {
            return refuse(
                "E1323",
                format!("the bundle is {status}: it is over and cannot be killed"),
            );
        }
        self.kill_coordinators();
        self.state.record.status = CoordinatorStatus::Killed;
        Ok(())
    }

    pub(super) fn kill_coordinators(&mut self) {
        for name in self.names(|status| !status.is_terminal()) {
            self.step.effects.push(BundleEffect::Kill { name });
        }
    }

    pub(super) fn rerun(
        &mut self,
        coordinators: Option<BTreeSet<String>>,
        times: Option<Scope>,
    ) -> Result<(), CommandRefusal> {
        use CoordinatorStatus as C;
        let status = match self.state.record.status {
            status @ (C::Killed
            | C::Failed
            | C::Prep
            | C::PrepPaused
            | C::PrepSuspended
            | C::Ignored) => {
                return refuse(
                    "E1100",
                    format!("the bundle is {status}: its coordinators cannot be run again"),
                );
            }
            same @ (C::Paused | C::PausedWithError) => same,
            C::Succeeded | C::Running | C::Suspended => C::Running,
            C::RunningWithError | C::SuspendedWithError | C::DoneWithError => C::RunningWithError,
        };
        if coordinators.is_none() && times.is_none() {
            return refuse(
                "E1018",
                "say which coordinators, which dates, or both".to_owned(),
            );
        }
        let unknown = coordinators.iter().flatten().find(|name| {
            let known = self.state.coordinators.get(*name);
            known.copied().flatten().is_none()
        });
        if let Some(unknown) = unknown {
            return refuse(
                "E1018",
                format!("the bundle has submitted no coordinator `{unknown}`"),
            );
        }
        self.state.record.status = status;
        self.state.record.is_suspended = false;
        for (name, status) in &mut self.state.coordinators {
            let is_meant = coordinators
                .as_ref()
                .is_none_or(|names| names.contains(name));
            if status.is_none() || !is_meant {
                continue;
            }
            // Until it reports, the bundle must not end because of the old state.
            *status = Some(C::Running);
            self.step.effects.push(BundleEffect::Rerun {
                name: name.clone(),
                times: times.clone(),
            });
        }
        Ok(())
    }

    /// The names of the submitted coordinators in the given states.
    fn names(&self, is_meant: fn(CoordinatorStatus) -> bool) -> Vec<String> {
        let coordinators = self.state.coordinators.iter();
        coordinators
            .filter(|(_, status)| status.is_some_and(is_meant))
            .map(|(name, _)| name.clone())
            .collect()
    }
}
