//! Job and action states, with Oozie's names and Oozie's spelling in the store and in JSON.

use serde::{Deserialize, Serialize};

/// The state of a workflow job (`WorkflowJob.Status`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum JobStatus {
    Prep,
    Running,
    Suspended,
    Succeeded,
    Killed,
    Failed,
}

impl JobStatus {
    pub const ALL: [JobStatus; 6] = [
        JobStatus::Prep,
        JobStatus::Running,
        JobStatus::Suspended,
        JobStatus::Succeeded,
        JobStatus::Killed,
        JobStatus::Failed,
    ];

    /// No event can change the job.
    pub fn is_terminal(self) -> bool {
        match self {
            JobStatus::Succeeded | JobStatus::Killed | JobStatus::Failed => true,
            JobStatus::Prep | JobStatus::Running | JobStatus::Suspended => false,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            JobStatus::Prep => "PREP",
            JobStatus::Running => "RUNNING",
            JobStatus::Suspended => "SUSPENDED",
            JobStatus::Succeeded => "SUCCEEDED",
            JobStatus::Killed => "KILLED",
            JobStatus::Failed => "FAILED",
        }
    }

    pub fn from_name(name: &str) -> Option<JobStatus> {
        JobStatus::ALL
            .into_iter()
            .find(|status| status.name() == name)
    }
}

impl std::fmt::Display for JobStatus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// The state of a node in a job (`WorkflowAction.Status`); control nodes have one too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ActionStatus {
    /// Entered; nothing has been started.
    Prep,
    /// The intent to start is recorded with the evaluated values; the work may or may not have started.
    Running,
    /// Finished while the job was suspended; the transition waits for resume.
    Done,
    Ok,
    Error,
    /// A transient failure; the start is retried at a set time.
    StartRetry,
    /// The user must intervene: the job is suspended, and resume starts the action again.
    StartManual,
    /// A user retry (`retry-max`) is scheduled.
    UserRetry,
    Killed,
    /// No transition is taken; the job FAILED.
    Failed,
}

impl ActionStatus {
    pub const ALL: [ActionStatus; 10] = [
        ActionStatus::Prep,
        ActionStatus::Running,
        ActionStatus::Done,
        ActionStatus::Ok,
        ActionStatus::Error,
        ActionStatus::StartRetry,
        ActionStatus::StartManual,
        ActionStatus::UserRetry,
        ActionStatus::Killed,
        ActionStatus::Failed,
    ];

    /// The node has ended in this run.
    pub fn is_terminal(self) -> bool {
        match self {
            ActionStatus::Ok
            | ActionStatus::Error
            | ActionStatus::Killed
            | ActionStatus::Failed => true,
            ActionStatus::Prep
            | ActionStatus::Running
            | ActionStatus::Done
            | ActionStatus::StartRetry
            | ActionStatus::StartManual
            | ActionStatus::UserRetry => false,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            ActionStatus::Prep => "PREP",
            ActionStatus::Running => "RUNNING",
            ActionStatus::Done => "DONE",
            ActionStatus::Ok => "OK",
            ActionStatus::Error => "ERROR",
            ActionStatus::StartRetry => "START_RETRY",
            ActionStatus::StartManual => "START_MANUAL",
            ActionStatus::UserRetry => "USER_RETRY",
            ActionStatus::Killed => "KILLED",
            ActionStatus::Failed => "FAILED",
        }
    }

    pub fn from_name(name: &str) -> Option<ActionStatus> {
        ActionStatus::ALL
            .into_iter()
            .find(|status| status.name() == name)
    }
}

impl std::fmt::Display for ActionStatus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}
