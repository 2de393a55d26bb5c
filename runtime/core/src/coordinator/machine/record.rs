//! The stored records of a coordinator and of each of its actions.

use chrono::{DateTime, Utc};

use crate::{
    coordinator::{
        Coordinator, CoordinatorActionStatus, CoordinatorStatus, NominalAction,
        machine::found_inputs::Inputs,
    },
    status::JobStatus,
};

/// A coordinator job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRecord {
    pub status: CoordinatorStatus,
    /// The revision of the definition and configuration that new actions are materialized with: 1, incremented by each update.
    pub revision: u32,
    /// The number of the newest action; 0 before the first one.
    pub last_number: u64,
    /// The nominal time of the next action to materialize (`nextMaterializedTime`). `None` beyond the range of the calendar.
    pub next_time: Option<DateTime<Utc>>,
    /// Exclusive. From the definition, unless it was changed.
    pub end: DateTime<Utc>,
    /// Actions at or after this nominal time are not materialized.
    pub pause_time: Option<DateTime<Utc>>,
    /// How many actions run at once; `None` means no limit. From the definition, unless it was changed.
    pub concurrency: Option<u32>,
    /// No more actions will be materialized (`doneMaterialization`).
    pub is_done: bool,
}

impl JobRecord {
    /// The next action to materialize, whether or not it is still allowed.
    pub fn next(&self) -> Option<NominalAction> {
        self.next_time.map(|time| NominalAction {
            number: self.last_number + 1,
            time,
        })
    }

    /// Whether end and pause time allow an action at this nominal time.
    pub(super) fn may_make(&self, nominal: DateTime<Utc>) -> bool {
        nominal < self.end && self.pause_time.is_none_or(|pause| nominal < pause)
    }

    /// A newly submitted coordinator, in its first revision.
    pub fn new(coordinator: &Coordinator) -> JobRecord {
        JobRecord {
            status: CoordinatorStatus::Prep,
            revision: 1,
            last_number: 0,
            next_time: coordinator.schedule.first(),
            end: coordinator.schedule.end,
            pause_time: None,
            concurrency: coordinator.controls.concurrency,
            is_done: false,
        }
    }
}

/// An action of a coordinator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionRecord {
    /// 1-based: the part of the id after `@`.
    pub number: u64,
    pub nominal: DateTime<Utc>,
    /// When it was materialized: the actual time, which `latest` counts from.
    pub created: DateTime<Utc>,
    /// When it starts to wait: the nominal time, or the time of materialization or rerun, whichever is later. The timeout counts
    /// from here.
    pub since: DateTime<Utc>,
    pub status: CoordinatorActionStatus,
    /// The coordinator's revision when the action was materialized, or rerun with a refresh.
    pub revision: u32,
    /// 0, incremented by each rerun.
    pub run: u32,
    /// Minutes; `None` means forever.
    pub timeout: Option<i64>,
    /// What has been found of its inputs.
    pub inputs: Inputs,
    /// The command to its workflow that is not confirmed yet.
    pub command: Option<Command>,
    /// The next submission reruns the failed nodes of its existing workflow instead of starting a new one (rerun `-failed`).
    pub keeps_workflow: bool,
    /// Why it FAILED before it had a workflow, or why the availability of its data cannot be determined.
    pub error: Option<ActionFault>,
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

    /// Its name in the store.
    pub fn name(self) -> &'static str {
        match self {
            Command::Suspend => "SUSPEND",
            Command::Resume => "RESUME",
            Command::Kill => "KILL",
        }
    }

    /// The status of a workflow after it has obeyed the command.
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

/// The error of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionFault {
    /// Oozie's error code, such as `E1004`.
    pub code: String,
    pub message: String,
}

impl ActionRecord {
    /// Only a command can change it, and none is pending: it need not be kept in memory.
    pub fn is_at_rest(&self) -> bool {
        self.status.is_terminal() && self.command.is_none()
    }

    pub fn action(&self) -> NominalAction {
        NominalAction {
            number: self.number,
            time: self.nominal,
        }
    }
}
