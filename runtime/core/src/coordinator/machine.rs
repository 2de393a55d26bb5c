//! The coordinator's state machine: which actions it materializes, what they wait for, which of them run, and how it ends.
//!
//! [`step`] applies an event to a coordinator's state at a time and returns the changed rows and the effects. It has no access to
//! clock, store, files or processes: the driver writes the changed rows in one transaction, together with the workflow jobs of
//! [`CoordinatorEffect::Submit`], and performs the other effects afterwards. [`CoordinatorState::rebuild`] restores the state
//! from rows, and [`CoordinatorState::outstanding`] lists the effects that a recovered coordinator still has to perform.
//!
//! Only live actions are in memory: an action that has ended is removed, and only counted. At most the throttle's number of
//! actions wait, so a coordinator that has years to catch up with takes no more memory than one that is up to date.
//!
//! It follows `CoordMaterializeTransitionXCommand`, `CoordActionInputCheckXCommand`, `CoordActionReadyXCommand`,
//! `StatusTransitService` and the commands of Oozie, with these differences:
//!
//! - An action is materialized at its nominal time, not up to 65 minutes before it ([`SchedulerSettings::look_ahead`]).
//! - Actions that are ready count for the throttle too, except with LIFO, which would start others; there up to
//!   [`MOST_READY`](crate::coordinator::MOST_READY) are kept.
//! - The inputs of an action are checked once more before it times out, even if the owner was not running.
//! - An action whose instances cannot be determined is FAILED, not the whole coordinator.
//! - A rerun is never skipped for being late, and its timeout counts from the rerun.
//! - What Oozie silently refuses is reported as refused, and an action that has ended is not killed.

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
    change::{CoordinatorChange, NewStatus},
    found_inputs::{FoundSet, Inputs},
    record::{ActionFault, ActionRecord, Command, JobRecord},
    scope::{Scope, ScopeError},
    state::CoordinatorState,
    update::refuses_update,
    waiting::{Missing, facts, missing, outputs_to_clean, search_inputs},
};

/// How many actions one step materializes at most, so that a transaction stays small. The state is due again at once.
pub const MOST_MADE_AT_ONCE: usize = 1000;

/// The settings of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchedulerSettings {
    /// How long before its nominal time an action is materialized. Zero by default; Oozie's servers do it 5 to 65 minutes before.
    pub look_ahead: Duration,
    /// The interval between checks of missing data (`oozie.service.coord.input.check.requeue.interval`, 60 s).
    pub poll: Duration,
    /// The same for watched data (`oozie.service.coord.push.check.requeue.interval`, 600 s).
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

/// The evaluated definitions that the actions of a job were materialized with, by revision.
#[derive(Clone, Debug)]
pub struct Revisions {
    current: Arc<Coordinator>,
    earlier: BTreeMap<u32, Arc<Coordinator>>,
}

impl Revisions {
    /// `current` is that of the job. `earlier` needs only those of actions that are waiting.
    pub fn new(current: Arc<Coordinator>, earlier: BTreeMap<u32, Arc<Coordinator>>) -> Revisions {
        Revisions { current, earlier }
    }

    pub fn current(&self) -> &Arc<Coordinator> {
        &self.current
    }

    /// The definition of an action. An unknown revision counts as the current one.
    pub fn of(&self, revision: u32) -> &Arc<Coordinator> {
        self.earlier.get(&revision).unwrap_or(&self.current)
    }
}

/// Something that happened to a coordinator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoordinatorEvent {
    /// Time has passed: the time of [`CoordinatorState::wake`] has been reached.
    Tick,
    /// The answers to [`CoordinatorEffect::Look`], or watched data that arrived.
    Looked(Vec<(Arc<str>, Presence)>),
    /// The answer to [`CoordinatorEffect::Search`]: for each input either what all its searches found, or `None`.
    Searched {
        number: u64,
        found: Vec<(usize, Option<Vec<DateTime<Utc>>>)>,
        /// Why not everything could be checked.
        error: Option<String>,
    },
    /// Data arrived in a searched location; the searches are repeated.
    Arrived,
    /// An action cannot be materialized because its service level has no value; or its workflow could not be submitted because
    /// its configuration has no value or its application is not found.
    NotMade {
        number: u64,
        error: ActionFault,
    },
    /// The current status of the workflow of an action.
    Workflow {
        number: u64,
        status: JobStatus,
    },
    /// The user has directly rerun the workflow of an action that has ended: the row of the action. The state of the workflow
    /// follows as [`CoordinatorEvent::Workflow`].
    RunsAgain(ActionRecord),
    Suspend,
    Resume,
    Kill,
    /// Kill those of these actions that have not ended.
    KillActions(BTreeSet<u64>),
    /// Rows of the actions to ignore, all of which must be FAILED, KILLED or TIMEDOUT.
    IgnoreActions(Vec<ActionRecord>),
    /// Also `ignore` of the whole coordinator, which is [`NewStatus::Ignored`].
    Change(CoordinatorChange),
    /// The definition or the configuration was replaced: the current one of the [`Revisions`] passed with this event is new, and
    /// the previous one is among the earlier ones.
    Update,
    /// As [`CoordinatorEvent::Update`], where only the service levels of the actions to come differ.
    ReviseSlas,
    /// Rows of the actions to rerun. Their outputs were removed before, unless they are to be kept
    /// ([`CoordinatorState::refuses_rerun`]).
    Rerun {
        actions: Vec<ActionRecord>,
        how: Rerun,
    },
}

/// Whether data is available.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Presence {
    There,
    Missing {
        /// [`CoordinatorEvent::Looked`] will report its arrival, so it is checked less often.
        is_watched: bool,
    },
    /// It could not be determined; the check is repeated.
    Unknown(String),
}

/// How actions are rerun.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rerun {
    /// The action is materialized again, with the current definition and configuration (`-refresh`).
    pub refresh: bool,
    /// Only the failed nodes of its workflow run again (`-failed`).
    pub failed: bool,
}

/// An effect of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoordinatorEffect {
    /// Create the workflow job of the action, with its configuration evaluated, in the transaction of the step, which also marks
    /// the action SUBMITTED. If `keeps_workflow`, prepare its existing workflow, if any, for a rerun of its failed nodes instead.
    /// A failed submission is undone by [`CoordinatorEvent::NotMade`] in the same transaction.
    Submit { number: u64, keeps_workflow: bool },
    /// Start the workflow of the action, or attach to it if it was started before; then report its status. After the transaction.
    Start { number: u64 },
    /// Pass the command on to the workflow of the action, then report its status. After the transaction.
    Command { number: u64, command: Command },
    /// Check whether `uri` exists, which is that of the done flag if there is one; watch it if possible.
    Look { uri: Arc<str> },
    /// Search the data for `latest` and `future` of these inputs ([`search_inputs`]).
    Search { number: u64, inputs: Vec<usize> },
    /// No action waits for this any more: it need not be watched.
    Forget { uri: Arc<str> },
    /// The coordinator has reached this terminal state.
    Finished(CoordinatorStatus),
}

/// A change of an action's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActionStatusChange {
    pub number: u64,
    pub nominal: DateTime<Utc>,
    /// `None` for a newly materialized one.
    pub from: Option<CoordinatorActionStatus>,
    pub to: CoordinatorActionStatus,
}

/// What an event did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoordinatorStep {
    /// The coordinator's own row has changed.
    pub job_changed: bool,
    /// The rows of actions that are new or have changed, by number.
    pub actions: BTreeMap<u64, ActionRecord>,
    /// The numbers of actions whose rows are to be deleted: they are past a changed end or pause time.
    pub deleted: BTreeSet<u64>,
    /// In the order in which they happened.
    pub transitions: Vec<ActionStatusChange>,
    /// In the order in which they must be performed.
    pub effects: Vec<CoordinatorEffect>,
    /// Why the command was refused. All other fields are empty then.
    pub refusal: Option<CommandRefusal>,
    /// The actions that a command named but skipped, because they have ended or were never materialized.
    pub passed_over: BTreeSet<u64>,
}

/// What is wrong with a refused command, for callers that have words of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// A part of what is to be changed is no pair of a key and a value.
    NoPair,
    /// There is no such key, or not for this kind of job.
    UnknownKey,
    NoNumber,
    NoDate,
    /// No state, or none that the user may set.
    NoStatus,
    /// A key is given twice, or none is.
    Count,
    /// It is well-formed, and the job or its actions do not allow it.
    State,
}

/// Why a command was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandRefusal {
    pub kind: RefusalKind,
    /// Oozie's error code.
    pub code: &'static str,
    pub message: String,
}

impl fmt::Display for CommandRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for CommandRefusal {}
