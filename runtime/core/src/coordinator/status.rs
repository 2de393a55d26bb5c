//! The states of coordinators and their actions, in Oozie's words.

use serde::{Deserialize, Serialize};

/// The state of a coordinator job (`Job.Status`). Oozie's servers hide those with errors unless configured otherwise; here
/// they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum CoordinatorStatus {
    Prep,
    Running,
    RunningWithError,
    PrepSuspended,
    Suspended,
    SuspendedWithError,
    PrepPaused,
    Paused,
    PausedWithError,
    Succeeded,
    DoneWithError,
    Killed,
    Failed,
    Ignored,
}

/// The state of an action of a coordinator (`CoordinatorAction.Status`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum CoordinatorActionStatus {
    /// Waiting for its time, or for its data.
    Waiting,
    /// Ready, waiting for a free place under the concurrency.
    Ready,
    /// The intent to start its workflow is recorded.
    Submitted,
    Running,
    Suspended,
    TimedOut,
    Succeeded,
    Killed,
    Failed,
    Ignored,
    Skipped,
}

impl CoordinatorStatus {
    pub const ALL: [CoordinatorStatus; 14] = [
        CoordinatorStatus::Prep,
        CoordinatorStatus::Running,
        CoordinatorStatus::RunningWithError,
        CoordinatorStatus::PrepSuspended,
        CoordinatorStatus::Suspended,
        CoordinatorStatus::SuspendedWithError,
        CoordinatorStatus::PrepPaused,
        CoordinatorStatus::Paused,
        CoordinatorStatus::PausedWithError,
        CoordinatorStatus::Succeeded,
        CoordinatorStatus::DoneWithError,
        CoordinatorStatus::Killed,
        CoordinatorStatus::Failed,
        CoordinatorStatus::Ignored,
    ];

    /// Only a command can change it.
    pub fn is_terminal(self) -> bool {
        match self {
            CoordinatorStatus::Succeeded
            | CoordinatorStatus::DoneWithError
            | CoordinatorStatus::Killed
            | CoordinatorStatus::Failed
            | CoordinatorStatus::Ignored => true,
            CoordinatorStatus::Prep
            | CoordinatorStatus::Running
            | CoordinatorStatus::RunningWithError
            | CoordinatorStatus::PrepSuspended
            | CoordinatorStatus::Suspended
            | CoordinatorStatus::SuspendedWithError
            | CoordinatorStatus::PrepPaused
            | CoordinatorStatus::Paused
            | CoordinatorStatus::PausedWithError => false,
        }
    }

    /// The state of a job that has ended when part of it is to run again; any other state is unchanged.
    pub fn reopened(self) -> CoordinatorStatus {
        use CoordinatorStatus as C;
        match self {
            C::Succeeded => C::Running,
            C::DoneWithError | C::Killed | C::Failed => C::RunningWithError,
            same @ (C::Prep
            | C::PrepPaused
            | C::PrepSuspended
            | C::Running
            | C::RunningWithError
            | C::Paused
            | C::PausedWithError
            | C::Suspended
            | C::SuspendedWithError
            | C::Ignored) => same,
        }
    }

    /// The state once the pause time has come, or after it was moved into the future.
    pub(crate) fn at_pause_time(self, is_paused: bool) -> CoordinatorStatus {
        use CoordinatorStatus as C;
        match (self, is_paused) {
            (C::Prep, true) => C::PrepPaused,
            (C::Running, true) => C::Paused,
            (C::RunningWithError, true) => C::PausedWithError,
            (C::PrepPaused, false) => C::Prep,
            (C::Paused, false) => C::Running,
            (C::PausedWithError, false) => C::RunningWithError,
            (same, _) => same,
        }
    }

    /// The state after the user's `suspend`; `None` if it is suspended already, or has ended.
    pub fn suspended(self) -> Option<CoordinatorStatus> {
        use CoordinatorStatus as C;
        match self {
            C::Prep | C::PrepPaused => Some(C::PrepSuspended),
            C::Running | C::Paused => Some(C::Suspended),
            C::RunningWithError | C::PausedWithError => Some(C::SuspendedWithError),
            C::PrepSuspended
            | C::Suspended
            | C::SuspendedWithError
            | C::Succeeded
            | C::DoneWithError
            | C::Killed
            | C::Failed
            | C::Ignored => None,
        }
    }

    /// The state after the user's `resume`; `None` if it is not suspended.
    pub fn resumed(self) -> Option<CoordinatorStatus> {
        use CoordinatorStatus as C;
        match self {
            C::PrepSuspended => Some(C::Prep),
            C::Suspended => Some(C::Running),
            C::SuspendedWithError => Some(C::RunningWithError),
            C::Prep
            | C::Running
            | C::RunningWithError
            | C::PrepPaused
            | C::Paused
            | C::PausedWithError
            | C::Succeeded
            | C::DoneWithError
            | C::Killed
            | C::Failed
            | C::Ignored => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            CoordinatorStatus::Prep => "PREP",
            CoordinatorStatus::Running => "RUNNING",
            CoordinatorStatus::RunningWithError => "RUNNINGWITHERROR",
            CoordinatorStatus::PrepSuspended => "PREPSUSPENDED",
            CoordinatorStatus::Suspended => "SUSPENDED",
            CoordinatorStatus::SuspendedWithError => "SUSPENDEDWITHERROR",
            CoordinatorStatus::PrepPaused => "PREPPAUSED",
            CoordinatorStatus::Paused => "PAUSED",
            CoordinatorStatus::PausedWithError => "PAUSEDWITHERROR",
            CoordinatorStatus::Succeeded => "SUCCEEDED",
            CoordinatorStatus::DoneWithError => "DONEWITHERROR",
            CoordinatorStatus::Killed => "KILLED",
            CoordinatorStatus::Failed => "FAILED",
            CoordinatorStatus::Ignored => "IGNORED",
        }
    }

    pub fn from_name(name: &str) -> Option<CoordinatorStatus> {
        CoordinatorStatus::ALL
            .into_iter()
            .find(|status| status.name() == name)
    }
}

impl std::fmt::Display for CoordinatorStatus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

impl CoordinatorActionStatus {
    pub const ALL: [CoordinatorActionStatus; 11] = [
        CoordinatorActionStatus::Waiting,
        CoordinatorActionStatus::Ready,
        CoordinatorActionStatus::Submitted,
        CoordinatorActionStatus::Running,
        CoordinatorActionStatus::Suspended,
        CoordinatorActionStatus::TimedOut,
        CoordinatorActionStatus::Succeeded,
        CoordinatorActionStatus::Killed,
        CoordinatorActionStatus::Failed,
        CoordinatorActionStatus::Ignored,
        CoordinatorActionStatus::Skipped,
    ];

    /// Only a command can change it.
    pub fn is_terminal(self) -> bool {
        match self {
            CoordinatorActionStatus::TimedOut
            | CoordinatorActionStatus::Succeeded
            | CoordinatorActionStatus::Killed
            | CoordinatorActionStatus::Failed
            | CoordinatorActionStatus::Ignored
            | CoordinatorActionStatus::Skipped => true,
            CoordinatorActionStatus::Waiting
            | CoordinatorActionStatus::Ready
            | CoordinatorActionStatus::Submitted
            | CoordinatorActionStatus::Running
            | CoordinatorActionStatus::Suspended => false,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            CoordinatorActionStatus::Waiting => "WAITING",
            CoordinatorActionStatus::Ready => "READY",
            CoordinatorActionStatus::Submitted => "SUBMITTED",
            CoordinatorActionStatus::Running => "RUNNING",
            CoordinatorActionStatus::Suspended => "SUSPENDED",
            CoordinatorActionStatus::TimedOut => "TIMEDOUT",
            CoordinatorActionStatus::Succeeded => "SUCCEEDED",
            CoordinatorActionStatus::Killed => "KILLED",
            CoordinatorActionStatus::Failed => "FAILED",
            CoordinatorActionStatus::Ignored => "IGNORED",
            CoordinatorActionStatus::Skipped => "SKIPPED",
        }
    }

    pub fn from_name(name: &str) -> Option<CoordinatorActionStatus> {
        CoordinatorActionStatus::ALL
            .into_iter()
            .find(|status| status.name() == name)
    }
}

impl std::fmt::Display for CoordinatorActionStatus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}
