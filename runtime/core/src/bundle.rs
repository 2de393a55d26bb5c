//! The bundle's state machine: when its coordinators are submitted, which commands they receive, and how it ends.
//!
//! [`step`] works like that of [coordinators](crate::coordinator::machine), and its effects are simpler: all of them are steps of
//! coordinators in the same store, and belong to the transaction of the bundle's own step. So no effect is ever outstanding.
//!
//! It follows `BundleStartXCommand`, `BundleStatusUpdateXCommand`, `StatusTransitService` and the commands of Oozie. What Oozie
//! silently refuses is reported as refused, and a rerun that names neither coordinators nor dates is refused too.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};

use crate::coordinator::{
    CoordinatorStatus,
    machine::{ActionFault, CommandRefusal, CoordinatorChange, Scope},
};

mod aggregation;
mod change;
mod commands;
#[cfg(test)]
mod tests;

pub use self::{aggregation::aggregated, change::BundleChange};

/// What a store keeps of a bundle. Its states are those of coordinators, except IGNORED.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleRecord {
    pub status: CoordinatorStatus,
    /// When its coordinators are submitted; `None` means immediately.
    pub kick_off: Option<DateTime<Utc>>,
    pub pause_time: Option<DateTime<Utc>>,
    /// The user has suspended the bundle, not only its coordinators.
    pub is_suspended: bool,
    /// Why it FAILED.
    pub error: Option<ActionFault>,
}

/// The state of a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleState {
    pub record: BundleRecord,
    /// Its enabled coordinators by name; `None` until they are submitted.
    pub coordinators: BTreeMap<String, Option<CoordinatorStatus>>,
}

/// Something that happened to a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BundleEvent {
    /// Time has passed: the time of [`BundleState::wake`] has been reached.
    Tick,
    /// The user starts it, whatever its kick-off time is.
    Start,
    /// The current state of a coordinator.
    Coordinator {
        name: String,
        status: CoordinatorStatus,
    },
    /// A coordinator could not be submitted: the others are killed, and the bundle FAILED.
    NotSubmitted {
        name: String,
        error: ActionFault,
    },
    Suspend,
    Resume,
    Kill,
    Change(BundleChange),
    /// Rerun actions: of these coordinators, or of all; at these nominal times, or all.
    Rerun {
        coordinators: Option<BTreeSet<String>>,
        times: Option<Scope>,
    },
}

/// An effect of a step: an operation on a coordinator in the same transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BundleEffect {
    /// Submit it, and report its state or [`BundleEvent::NotSubmitted`].
    Submit {
        name: String,
    },
    Suspend {
        name: String,
    },
    Resume {
        name: String,
    },
    Kill {
        name: String,
    },
    /// Change it. Refusals by coordinators are reported together as E1320; the others are changed nevertheless.
    Change {
        name: String,
        change: CoordinatorChange,
    },
    /// Rerun its actions at these times, or all that have ended.
    Rerun {
        name: String,
        times: Option<Scope>,
    },
    /// The bundle has reached this terminal state.
    Finished(CoordinatorStatus),
}

/// What an event did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BundleStep {
    /// The row of the bundle or of one of its coordinators has changed.
    pub changed: bool,
    /// In the order in which they must be performed.
    pub effects: Vec<BundleEffect>,
    /// Why the command was refused. All other fields are empty then.
    pub refusal: Option<CommandRefusal>,
    /// The coordinators that a command skipped, because they are KILLED or were never submitted.
    pub passed_over: BTreeSet<String>,
}

impl BundleState {
    /// A newly submitted bundle. `names` are those of the enabled coordinators.
    pub fn new(
        kick_off: Option<DateTime<Utc>>,
        names: impl IntoIterator<Item = String>,
    ) -> BundleState {
        BundleState {
            record: BundleRecord {
                status: CoordinatorStatus::Prep,
                kick_off,
                pause_time: None,
                is_suspended: false,
                error: None,
            },
            coordinators: names.into_iter().map(|name| (name, None)).collect(),
        }
    }

    /// When [`BundleEvent::Tick`] is due; a time in the past means immediately. `None` if time alone changes nothing.
    pub fn wake(&self) -> Option<DateTime<Utc>> {
        use CoordinatorStatus as C;
        let record = &self.record;
        match record.status {
            C::Prep => {
                let kick_off = record.kick_off.unwrap_or(DateTime::UNIX_EPOCH);
                Some(
                    record
                        .pause_time
                        .map_or(kick_off, |time| time.min(kick_off)),
                )
            }
            C::Running | C::RunningWithError => record.pause_time,
            C::PrepPaused
            | C::Paused
            | C::PausedWithError
            | C::PrepSuspended
            | C::Suspended
            | C::SuspendedWithError
            | C::Succeeded
            | C::DoneWithError
            | C::Killed
            | C::Failed
            | C::Ignored => None,
        }
    }
}

/// Applies `event` to `state` at the time `now`. An event that has no meaning in the current state is ignored.
pub fn step(state: &mut BundleState, now: DateTime<Utc>, event: BundleEvent) -> BundleStep {
    let before = state.clone();
    let mut machine = Machine {
        state,
        now,
        step: BundleStep::default(),
    };
    match machine.take(event) {
        Ok(()) => machine.advance(),
        Err(refusal) => machine.step.refusal = Some(refusal),
    }
    let mut step = machine.step;
    step.changed = *state != before;
    let status = state.record.status;
    if status.is_terminal() && !before.record.status.is_terminal() {
        step.effects.push(BundleEffect::Finished(status));
    }
    step
}

struct Machine<'a> {
    state: &'a mut BundleState,
    now: DateTime<Utc>,
    step: BundleStep,
}

impl Machine<'_> {
    fn take(&mut self, event: BundleEvent) -> Result<(), CommandRefusal> {
        match event {
            BundleEvent::Tick => Ok(()),
            BundleEvent::Start => self.start_now(),
            BundleEvent::Coordinator { name, status } => {
                self.coordinator(&name, status);
                Ok(())
            }
            BundleEvent::NotSubmitted { name, error } => {
                self.not_submitted(&name, error);
                Ok(())
            }
            BundleEvent::Suspend => self.suspend(),
            BundleEvent::Resume => self.resume(),
            BundleEvent::Kill => self.kill(),
            BundleEvent::Change(change) => self.change(change),
            BundleEvent::Rerun {
                coordinators,
                times,
            } => self.rerun(coordinators, times),
        }
    }

    /// Records the state of a coordinator. If it had ended and one of its actions was rerun directly, the bundle continues too.
    fn coordinator(&mut self, name: &str, status: CoordinatorStatus) {
        let Some(known) = self.state.coordinators.get_mut(name) else {
            return;
        };
        let before = known.replace(status);
        let was_over = before.is_some_and(CoordinatorStatus::is_terminal);
        // One that has ended in another way since went on, and was over again before anybody looked.
        let went_on = !status.is_terminal()
            || (before != Some(status) && status != CoordinatorStatus::Ignored);
        if !was_over || !went_on {
            return;
        }
        let own = &mut self.state.record.status;
        *own = own.reopened();
        if !own.is_terminal() {
            self.state.record.error = None;
        }
    }

    /// Applies the consequences of time and of the coordinators' states.
    fn advance(&mut self) {
        self.pause();
        let kick_off = self.state.record.kick_off;
        let has_come = kick_off.is_none_or(|kick_off| kick_off <= self.now);
        if self.state.record.status == CoordinatorStatus::Prep && has_come {
            self.start();
        }
        let record = &mut self.state.record;
        let statuses: Vec<CoordinatorStatus> = self
            .state
            .coordinators
            .values()
            .copied()
            .flatten()
            .collect();
        let is_complete = statuses.len() == self.state.coordinators.len();
        record.status = aggregated(record.status, &statuses, is_complete, record.is_suspended);
    }

    /// Submits the coordinators.
    fn start(&mut self) {
        if self.state.coordinators.is_empty() {
            self.state.record.status = CoordinatorStatus::Failed;
            self.state.record.error = Some(ActionFault {
                code: "E1318".to_owned(),
                message: "no coordinator of the bundle is enabled".to_owned(),
            });
            return;
        }
        self.state.record.status = CoordinatorStatus::Running;
        let names = self.state.coordinators.keys().cloned();
        self.step
            .effects
            .extend(names.map(|name| BundleEffect::Submit { name }));
    }

    fn not_submitted(&mut self, name: &str, error: ActionFault) {
        if self.state.record.status.is_terminal() {
            return;
        }
        self.kill_coordinators();
        // The remaining coordinators are not submitted; the driver checks before each.
        self.state.record.status = CoordinatorStatus::Failed;
        self.state.record.error = Some(ActionFault {
            message: format!("coordinator `{name}`: {}", error.message),
            ..error
        });
    }

    /// Pauses and unpauses according to the pause time. Coordinators have pause times of their own.
    fn pause(&mut self) {
        let pause = self.state.record.pause_time;
        let is_paused = pause.is_some_and(|pause| pause <= self.now);
        let record = &mut self.state.record;
        record.status = record.status.at_pause_time(is_paused);
    }
}
