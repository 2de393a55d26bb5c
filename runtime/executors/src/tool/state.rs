//! The progress of an attempt, stored beside its folder and read by the process that resumes it after a crash.

use std::io;

use hpdlc_launcher::Attempt;
use serde::{Deserialize, Serialize};

use crate::attempt_state;

/// The ending of its name.
const FILE: &str = "tool";

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolState {
    /// `prepare` is finished: what the tool has made since must not be removed.
    #[serde(default)]
    pub is_prepared: bool,
    /// The tool was started, or its start was imminent.
    #[serde(default)]
    pub has_begun: bool,
    /// The job that it has submitted.
    #[serde(default)]
    pub job: Option<String>,
}

impl ToolState {
    /// # Errors
    ///
    /// The file exists and cannot be read.
    pub fn read(attempt: &Attempt) -> io::Result<ToolState> {
        Ok(attempt_state::read(attempt, FILE)?.unwrap_or_default())
    }

    /// # Errors
    ///
    /// The file cannot be written.
    pub fn write(&self, attempt: &Attempt) -> io::Result<()> {
        attempt_state::write(attempt, FILE, self)
    }
}
