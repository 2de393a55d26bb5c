//! What a store keeps of a coordinator and of each of its actions.

use chrono::{DateTime, Utc};

use crate::{
    coordinator::{
        Action, Coordinator, CoordinatorActionStatus, CoordinatorStatus,
        machine::found_inputs::Inputs,
    },
    status::JobStatus,
};

/// A coordinator job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRecord {
    pub status: CoordinatorStatus,
    /// Which definition and configuration new actions are made with: 1, and one more with each update.
    pub revision: u32,
    /// The number of the newest action; 0 before the first one.
    pub last_number: u64,
    /// The nominal time of the next action to make (`nextMaterializedTime`). Nothing beyond the calendar.
    pub next_time: Option<DateTime<Utc>>,
    /// Exclusive. That of the definition, unless it was changed.
    pub end: DateTime<Utc>,
    /// Actions from this nominal time on are not made.
    pub pause_time: Option<DateTime<Utc>>,
    /// How many actions run at once; nothing is no limit. That of the definition, unless it was changed.
    pub concurrency: Option<u32>,
    /// No more actions will be made (`doneMaterialization`).
    pub is_done: bool,
}

impl JobRecord {
    /// The next action to make, whether or not it still may be.
    pub fn next(&self) -> Option<Action> {
        self.next_time.map(|time| Action {
            number: self.last_number + 1,
            time,
        })
    }

    /// An action at this nominal time may be made, as far as end and pause time go.
    pub(super) fn may_make(&self, nominal: DateTime<Utc>) -> bool {
        nominal < self.end && self.pause_time.is_none_or(|pause| nominal < pause)
    }

    /// A coordinator as it is submitted, by its first revision.
    pub fn new(coordinator: &Coordinator) -> JobRecord {
        JobRecord {
            status: CoordinatorStatus::Prep,
            revision: 1,
            last_number: 0,
            next_time: coordinator.schedule.first(),
            end: coordinator.schedule.end,
            pause_time: None,
            concurrency: coordinator.limits.concurrency,
            is_done: false,
        }
    }
}

/// An action of a coordinator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionRecord {
    /// From 1: the part of the id after `@`.
    pub number: u64,
    pub nominal: DateTime<Utc>,
    /// When it was made: the actual time, which `latest` counts from.
    pub created: DateTime<Utc>,
    /// From when on it waits: its nominal time, or when it was made or rerun, whichever is later. What the timeout counts
    /// from.
    pub since: DateTime<Utc>,
    pub status: CoordinatorActionStatus,
    /// That of the coordinator when the action was made, or rerun with a refresh.
    pub revision: u32,
    /// 0, and one more with each rerun.
    pub run: u32,
    /// Minutes; nothing is forever.
    pub timeout: Option<i64>,
    /// What has been found of its inputs.
    pub inputs: Inputs,
    /// The command to its workflow that is not confirmed yet.
    pub command: Option<Command>,
    /// The next submission runs the failed nodes of the workflow that it has, and not a new one (rerun `-failed`).
    pub keeps_workflow: bool,
    /// Why it FAILED before it had a workflow, or why it cannot find out whether its data is there.
    pub error: Option<ActionError>,
}

/// A command to the workflow of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Command {
    Suspend,
    Resume,
    Kill,
}

impl Command {
    pub const ALL: [Command; 3] = [Command::Suspend, Command::Resume, Command::Kill];

    /// Its name in a store.
    pub fn name(self) -> &'static str {
        match self {
            Command::Suspend => "SUSPEND",
            Command::Resume => "RESUME",
            Command::Kill => "KILL",
        }
    }

    /// The status of a workflow that has followed it.
    pub fn expected(self) -> JobStatus {
        match self {
            Command::Suspend => JobStatus::Suspended,
            Command::Resume => JobStatus::Running,
            Command::Kill => JobStatus::Killed,
        }
    }

    pub fn from_name(name: &str) -> Option<Command> {
        Command::ALL
            .into_iter()
            .find(|command| command.name() == name)
    }
}

/// What is wrong with an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionError {
    /// Oozie's, such as `E1004`.
    pub code: String,
    pub message: String,
}

impl ActionRecord {
    /// Nothing but a command changes it, and none is on its way: it need not be kept in memory.
    pub fn is_at_rest(&self) -> bool {
        self.status.is_terminal() && self.command.is_none()
    }

    pub fn action(&self) -> Action {
        Action {
            number: self.number,
            time: self.nominal,
        }
    }
}
