//! What owner and launcher say to each other: a JSON object a line.

use serde::{Deserialize, Serialize};

use crate::{ExitRecord, TimeLimit};

/// What the owner asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LauncherRequest {
    /// Start an attempt. The intent to do so is on disk.
    Start(StartRequest),
    /// Make an attempt ready that has never been asked for, and do nothing that others see: the intent to start it is being
    /// written. Without a [`LauncherRequest::Go`] it is forgotten.
    Hold(StartRequest),
    /// Start an attempt that is held: the intent is on disk.
    Go { attempt: String },
    /// When the attempt `after` has ended with exit code 0, start this one, which is held. The intent of that is on disk. Where
    /// `after` is not in hand any more nothing happens.
    Follow { attempt: String, after: String },
    /// Start nothing by itself any more, and say when what had been started is told.
    Withdraw,
    /// An attempt that is held is not to be started: what was made ready goes.
    Forget { attempt: String },
    /// The first so many ends that this launcher has told are on disk: nobody will look for their files but to show them.
    Recorded { ends: u64 },
    /// From now on so many processes may run at once. What is asked for beyond waits in the order of the requests, and is
    /// forgotten, unclaimed, when the owner goes.
    AtMost { processes: usize },
}

/// What is to be started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartRequest {
    /// The path of the attempt, without an ending: see [`crate::Attempt`].
    pub attempt: String,
    /// The program's absolute path.
    pub program: String,
    /// What the program sees as its own name, then its arguments.
    pub argv: Vec<String>,
    /// Added to the environment of the launcher; `None` removes.
    pub env: Vec<(String, Option<String>)>,
    /// The text of `action.xml` where the launcher is to make the attempt's folder with nothing else in it; `None` where the
    /// folder is there.
    pub action_xml: Option<String>,
    /// How long the process may run; `None` is for ever.
    pub limit: Option<TimeLimit>,
}

/// What the launcher tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// As in the request.
    pub attempt: String,
    pub event: ReportEvent,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReportEvent {
    /// The process has been running for a while. Of a short one only the end is told.
    Started { pid: u32 },
    /// Somebody else claimed the attempt before: attach to it.
    ClaimedBefore,
    /// The process has ended, or could not be executed and has no number. The exit file follows: it serves whoever comes
    /// when the owner that is told here has died before it could write down the end.
    Exited {
        pid: Option<u32>,
        record: ExitRecord,
    },
    /// Nothing was claimed or started, because the machine failed.
    Unclaimed { problem: String },
    /// The answer to [`LauncherRequest::Withdraw`], of no attempt.
    Withdrawn,
}
