//! The coordinator's state machine: which actions it makes, what they wait for, which of them run, and how it ends.
//!
//! [`step`] takes an event into a coordinator's state at a time and says which rows have changed and which effects follow. It
//! knows no clock, no store, no file and no process: the driver writes the changed rows in one transaction, with the
//! workflow jobs of [`CoordinatorEffect::Submit`] in it, and performs the other effects afterwards. [`CoordinatorState::rebuild`] makes the
//! state from rows again, and [`CoordinatorState::outstanding`] names the effects that a recovered coordinator still owes.
//!
//! Only what lives is in memory: an action that is over leaves it, and is counted. At most the throttle's number of actions
//! wait, so that a coordinator which has years to catch up with takes no more than one that has nothing.
//!
//! It follows `CoordMaterializeTransitionXCommand`, `CoordActionInputCheckXCommand`, `CoordActionReadyXCommand`,
//! `StatusTransitService` and the commands of Oozie, with these differences:
//!
//! - An action is made at its nominal time, not up to 65 minutes before it ([`SchedulerSettings::look_ahead`]).
//! - Actions that are ready count for the throttle too, but for LIFO, which would start others; there up to
//!   [`MOST_READY`](crate::coordinator::MOST_READY) are kept.
//! - What an action needs is looked at once more before it times out, also after the owner was away.
//! - An action whose instances cannot be told FAILED, and not the whole coordinator.
//! - A rerun is never skipped for being late, and its timeout counts from the rerun.
//! - What Oozie refuses in silence is refused aloud, and an action that is over is not killed.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::Arc,
};

use chrono::{DateTime, Duration, Utc};

use crate::{
    coordinator::{
        Coordinator, CoordinatorActionStatus, CoordinatorStatus, policy::USUAL_TOLERANCE,
    },
    status::JobStatus,
};

mod advance;
mod change;
mod commands;
mod found_inputs;
mod input_checks;
mod inputs;
mod record;
mod rerun;
mod scope;
mod state;
#[cfg(test)]
mod tests;
mod update;
mod waiting;
mod workflows;

pub(super) use self::waiting::search_instances;
pub use self::{
    advance::step,
    change::{Change, NewStatus},
    found_inputs::{FoundSet, Inputs},
    record::{ActionError, ActionRecord, Command, JobRecord},
    scope::{Scope, ScopeError},
    state::CoordinatorState,
    update::refuses_update,
    waiting::{Missing, facts, missing, outputs_to_clean, search_inputs},
};

/// How many actions one step makes at most, so that a transaction stays small. The state is due again at once.
pub const MOST_MADE_AT_ONCE: usize = 1000;

/// What a site may set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchedulerSettings {
    /// How long before its nominal time an action is made. Zero, unless set; Oozie's servers make them 5 to 65 minutes before.
    pub look_ahead: Duration,
    /// After how long what is missing is looked at again (`oozie.service.coord.input.check.requeue.interval`, 60 s).
    pub poll: Duration,
    /// The same for what is watched (`oozie.service.coord.push.check.requeue.interval`, 600 s).
    pub watched_poll: Duration,
    /// How late an action of execution NONE may be, in minutes (`oozie.coord.execution.none.tolerance`, 1).
    pub tolerance: i64,
}

impl Default for SchedulerSettings {
    fn default() -> SchedulerSettings {
        SchedulerSettings {
            look_ahead: Duration::zero(),
            poll: Duration::seconds(60),
            watched_poll: Duration::seconds(600),
            tolerance: USUAL_TOLERANCE,
        }
    }
}

/// The definitions that the actions of a job were made with, evaluated, by revision.
#[derive(Clone, Debug)]
pub struct Revisions {
    current: Arc<Coordinator>,
    earlier: BTreeMap<u32, Arc<Coordinator>>,
}

impl Revisions {
    /// `current` is that of the job. `earlier` need hold those alone that actions are waiting with.
    pub fn new(current: Arc<Coordinator>, earlier: BTreeMap<u32, Arc<Coordinator>>) -> Revisions {
        Revisions { current, earlier }
    }

    pub fn current(&self) -> &Arc<Coordinator> {
        &self.current
    }

    /// The one of an action. One that is not known any more counts as the current one.
    pub fn of(&self, revision: u32) -> &Arc<Coordinator> {
        self.earlier.get(&revision).unwrap_or(&self.current)
    }
}

/// Something that happened to a coordinator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoordinatorEvent {
    /// Time has passed: [`CoordinatorState::wake`] has come.
    Tick,
    /// What [`CoordinatorEffect::Look`] asked for, or what was seen to arrive.
    Looked(Vec<(Arc<str>, Answer)>),
    /// What [`CoordinatorEffect::Search`] asked for: for each input either what all its searches found, or nothing.
    Searched {
        number: u64,
        found: Vec<(usize, Option<Vec<DateTime<Utc>>>)>,
        /// Why not everything could be looked at.
        error: Option<String>,
    },
    /// Something arrived where searches look; they are asked for again.
    Arrived,
    /// An action cannot be made, as its service level has no value; or its workflow could not be submitted: its configuration has
    /// no value, its application is not found.
    NotMade {
        number: u64,
        error: ActionError,
    },
    /// The present status of the workflow of an action.
    Workflow {
        number: u64,
        status: JobStatus,
    },
    /// Somebody has rerun the workflow of an action that is over by itself: the row of the action. How the workflow is comes
    /// with [`CoordinatorEvent::Workflow`].
    RunsAgain(ActionRecord),
    Suspend,
    Resume,
    Kill,
    /// Those that are not over.
    KillActions(BTreeSet<u64>),
    /// Rows of these, all of which must be FAILED, KILLED or TIMEDOUT.
    IgnoreActions(Vec<ActionRecord>),
    /// Also `ignore` of the whole coordinator, which is [`NewStatus::Ignored`].
    Change(Change),
    /// The definition or the configuration was replaced: the current one of the [`Revisions`] given with this event is new, the
    /// one before it among the earlier ones.
    Update,
    /// Rows of the actions to run again. What they have put out was removed before, where it is to be
    /// ([`CoordinatorState::refuses_rerun`]).
    Rerun {
        actions: Vec<ActionRecord>,
        how: Rerun,
    },
}

/// Whether something is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    There,
    Missing {
        /// [`CoordinatorEvent::Looked`] will tell when it arrives; so it is looked at less often.
        is_watched: bool,
    },
    /// It could not be found out, and is tried again.
    Unknown(String),
}

/// How actions are run again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rerun {
    /// The action is made anew, by the current definition and configuration (`-refresh`).
    pub refresh: bool,
    /// Only what failed in its workflow runs again (`-failed`).
    pub failed: bool,
}

/// Something that follows from a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoordinatorEffect {
    /// Create the workflow job of the action, with its configuration evaluated, in the transaction of the step: the action is
    /// SUBMITTED in the same. Where `keeps_workflow`, prepare the one it has, if it has one, for a rerun of its failed nodes
    /// instead. What cannot be submitted is taken back by [`CoordinatorEvent::NotMade`] in the same transaction.
    Submit { number: u64, keeps_workflow: bool },
    /// Start the workflow of the action, or attach to it where it was started before; then report its status. After the
    /// transaction.
    Start { number: u64 },
    /// Pass the command on to the workflow of the action, then report its status. After the transaction.
    Command { number: u64, command: Command },
    /// Look whether something is at `uri`, which is a done flag's where there is one; watch it, where that is possible.
    Look { uri: Arc<str> },
    /// Look through the data for `latest` and `future` of these inputs ([`search_inputs`]).
    Search { number: u64, inputs: Vec<usize> },
    /// Nobody waits for this any more: it need not be watched.
    Forget { uri: Arc<str> },
    /// The coordinator has reached this terminal state.
    Finished(CoordinatorStatus),
}

/// A change of an action's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    pub number: u64,
    pub nominal: DateTime<Utc>,
    /// Nothing for one that was made.
    pub from: Option<CoordinatorActionStatus>,
    pub to: CoordinatorActionStatus,
}

/// What an event did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoordinatorStep {
    /// The coordinator's own row differs from before.
    pub job_changed: bool,
    /// The rows of actions that are new or differ from before, by number.
    pub actions: BTreeMap<u64, ActionRecord>,
    /// The numbers of actions whose rows are to be deleted: they were made too early for a changed end or pause time.
    pub deleted: BTreeSet<u64>,
    /// In the order in which they happened.
    pub transitions: Vec<Transition>,
    /// In the order in which they are to be performed.
    pub effects: Vec<CoordinatorEffect>,
    /// Why nothing was done. All else is empty then.
    pub refusal: Option<Refusal>,
    /// The actions that a command named and did nothing about, as they are over or were never made.
    pub passed_over: BTreeSet<u64>,
}

/// Why a command was not followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Oozie's.
    pub code: &'static str,
    pub message: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for Refusal {}
