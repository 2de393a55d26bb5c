//! The progress of an attempt, stored beside its folder and read by the process that resumes it after a crash.

use std::{
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
};

use hpdlc_launcher::Attempt;
use serde::{Deserialize, Serialize};

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
        match fs::read(attempt.beside("tool")) {
            Ok(text) => Ok(serde_json::from_slice(&text)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(ToolState::default()),
            Err(error) => Err(error),
        }
    }

    /// # Errors
    ///
    /// The file cannot be written.
    pub fn write(&self, attempt: &Attempt) -> io::Result<()> {
        let unfinished = attempt.beside("tool.new");
        let mut file = File::options()
            .create(true)
            .truncate(true)
            .write(true)
            .mode(0o600)
            .open(&unfinished)?;
        file.write_all(&serde_json::to_vec(self)?)?;
        file.sync_all()?;
        fs::rename(unfinished, attempt.beside("tool"))
    }
}
