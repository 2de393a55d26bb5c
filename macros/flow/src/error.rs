//! How a workflow, and an action in it, ends in an error.

use crate::{builder::Value, outside};

/// What a workflow, and an action in it, results in.
pub type Result<T = (), E = Error> = std::result::Result<T, E>;

/// Why an action has failed, or why the job is killed.
#[derive(Debug)]
pub struct Error {
    _private: (),
}

impl Error {
    /// The code of the failure: `wf:errorCode`.
    pub fn code(&self) -> String {
        outside()
    }

    /// The message of the failure: `wf:errorMessage`.
    pub fn message(&self) -> String {
        outside()
    }

    /// The name of the kill node.
    pub fn named(self, _name: &str) -> Error {
        outside()
    }
}

/// Ends the job in KILLED, with this message: `return Err(kill("why"))`.
pub fn kill(_message: impl Value) -> Error {
    outside()
}
