//! Changing a bundle's pause time or end (`BundleJobChangeXCommand`).

use chrono::{DateTime, Utc};

use super::{BundleEffect, Machine};
use crate::{
    coordinator::{
        CoordinatorStatus,
        machine::{CommandRefusal, CoordinatorChange, RefusalKind},
    },
    time::ProcessingZone,
};

/// What to change in the bundle and in its coordinators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BundleChange {
    /// The new pause time; `None` removes it.
    PauseTime(Option<DateTime<Utc>>),
    End(DateTime<Utc>),
}

impl BundleChange {
    /// Reads `pausetime=...` or `endtime=...`. If both are given, the pause time applies, as in Oozie.
    ///
    /// # Errors
    ///
    /// E1317: an unknown key, or a value that is not a date.
    pub fn parse(text: &str, zone: ProcessingZone) -> Result<BundleChange, CommandRefusal> {
        let change = match CoordinatorChange::parse(text, zone) {
            Ok(change) => change,
            Err(refusal) => {
                return Err(CommandRefusal {
                    code: "E1317",
                    ..refusal
                });
            }
        };
        match change {
            CoordinatorChange {
                concurrency: None,
                status: None,
                pause_time: Some(pause_time),
                ..
            } => Ok(BundleChange::PauseTime(pause_time)),
            CoordinatorChange {
                concurrency: None,
                status: None,
                end: Some(end),
                ..
            } => Ok(BundleChange::End(end)),
            CoordinatorChange { .. } => Err(CommandRefusal {
                kind: RefusalKind::UnknownKey,
                code: "E1317",
                message: "of a bundle, only pausetime and endtime can be changed".to_owned(),
            }),
        }
    }

    fn of_coordinator(self) -> CoordinatorChange {
        match self {
            BundleChange::PauseTime(time) => CoordinatorChange {
                pause_time: Some(time),
                ..CoordinatorChange::default()
            },
            BundleChange::End(end) => CoordinatorChange {
                end: Some(end),
                ..CoordinatorChange::default()
            },
        }
    }
}

impl Machine<'_> {
    pub(super) fn change(&mut self, change: BundleChange) -> Result<(), CommandRefusal> {
        use CoordinatorStatus as C;
        let refuse = |code, message: String| {
            Err(CommandRefusal {
                kind: RefusalKind::State,
                code,
                message,
            })
        };
        let status = self.state.record.status;
        match change {
            BundleChange::PauseTime(_) if status.is_terminal() => {
                return refuse(
                    "E1312",
                    format!("the bundle is {status}: it is over and cannot be paused"),
                );
            }
            BundleChange::End(_) if status == C::Killed => {
                return refuse("E1312", "the bundle is KILLED".to_owned());
            }
            BundleChange::PauseTime(Some(time)) if time < self.now => {
                return refuse("E1317", "the pause time has passed".to_owned());
            }
            BundleChange::End(end)
                if self
                    .state
                    .record
                    .kick_off
                    .is_some_and(|kick_off| end < kick_off) =>
            {
                return refuse("E1317", "the end is before the kick-off time".to_owned());
            }
            BundleChange::PauseTime(time) => self.state.record.pause_time = time,
            BundleChange::End(_) => {
                let status = match status {
                    C::Succeeded => C::Running,
                    C::DoneWithError | C::Failed => C::RunningWithError,
                    same => same,
                };
                self.state.record.status = status;
            }
        }
        for (name, status) in &mut self.state.coordinators {
            match status {
                None | Some(C::Killed | C::Ignored) => {
                    self.step.passed_over.insert(name.clone());
                }
                Some(status) => {
                    // The coordinator's own change will do this; until that is reported, the bundle must not end because of the
                    // old state.
                    if matches!(change, BundleChange::End(_)) && status.is_terminal() {
                        *status = C::Running;
                    }
                    self.step.effects.push(BundleEffect::Change {
                        name: name.clone(),
                        change: change.of_coordinator(),
                    });
                }
            }
        }
        Ok(())
    }
}
