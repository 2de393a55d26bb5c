//! The protocol between owner and launcher: a JSON object per line.

use serde::{Deserialize, Serialize};

use crate::{ExitRecord, TimeLimit};

/// A request of the owner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LauncherRequest {
    /// Start an attempt. The intent to do so is on disk.
    Start(StartRequest),
    /// Prepare an attempt that was never requested before, without visible effects: the intent to start it is being written. Without a
    /// [`LauncherRequest::Go`] it is dropped.
    Hold(StartRequest),
    /// Start an attempt that is held: the intent is on disk.
    Go { attempt: String },
    /// When the attempt `after` has ended with exit code 0, start this one, which is held. The intent of that is on disk. If `after` is no
    /// longer queued or running, nothing happens.
    Follow { attempt: String, after: String },
    /// Start nothing by itself any more, and answer after all starts have been reported.
    Withdraw,
    /// A held attempt is not to be started: remove what was prepared.
    Forget { attempt: String },
    /// This many of the ends that this launcher has reported are on disk: their files are no longer needed except to be shown.
    Recorded { ends: u64 },
    /// From now on this many processes may run at once. Further requests wait in order, and are dropped, unclaimed, when the owner is gone.
    AtMost { processes: usize },
}

/// A process to start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartRequest {
    /// The path of the attempt, without an extension: see [`crate::Attempt`].
    pub attempt: String,
    /// The program's absolute path.
    pub program: String,
    /// The program's own name as it sees it, then its arguments.
    pub argv: Vec<String>,
    /// Changes to the environment of the launcher; `None` removes.
    pub env: Vec<(String, Option<String>)>,
    /// The text of `action.xml` if the launcher has to create the attempt's folder with nothing else in it; `None` if the folder exists.
    pub action_xml: Option<String>,
    /// How long the process may run; `None` is without a limit.
    pub limit: Option<TimeLimit>,
}

/// A report of the launcher.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LauncherReport {
    /// As in the request.
    pub attempt: String,
    pub event: ReportEvent,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReportEvent {
    /// The process has been running for a while. Of a short one only the end is reported.
    Started { pid: u32 },
    /// Another process claimed the attempt before: attach to it.
    ClaimedBefore,
    /// The process has ended, or could not be executed and has no id. The exit file follows: it is needed if the notified owner dies before
    /// it can record the end.
    Exited {
        pid: Option<u32>,
        record: ExitRecord,
    },
    /// Nothing was claimed or started, because the machine failed.
    Unclaimed { problem: String },
    /// The answer to [`LauncherRequest::Withdraw`], without an attempt.
    Withdrawn,
}
