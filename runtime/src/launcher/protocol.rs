//! What owner and launcher say to each other: a JSON object a line.

use serde::{Deserialize, Serialize};

/// Asks the launcher to start one attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartRequest {
    /// The path of the attempt, without an ending: see [`crate::launcher::Attempt`].
    pub attempt: String,
    /// The program's absolute path.
    pub program: String,
    /// What the program sees as its own name, then its arguments.
    pub argv: Vec<String>,
    /// Added to the environment of the launcher; `None` removes.
    pub env: Vec<(String, Option<String>)>,
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
    /// The process runs.
    Started { pid: u32 },
    /// Somebody else claimed the attempt before: attach to it.
    ClaimedBefore,
    /// The exit file is in place.
    Exited,
    /// Nothing was claimed or started, because the machine failed.
    Unclaimed { problem: String },
    /// The process has ended, but its exit file cannot be written; the launcher keeps trying.
    CannotRecord { problem: String },
}
