//! Why a job is refused before anything of it runs.

use std::fmt;

use hpdlc_host::exit::RunError;

/// A job or a rerun that is refused before anything of it runs: properties that are missing or malformed, or nodes that cannot be skipped.
/// A command of the executable would end with exit code 2 and this message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// A line for each mistake.
    pub message: String,
}

impl Refusal {
    pub(crate) fn new(message: String) -> Refusal {
        Refusal { message }
    }
}

impl From<RunError> for Refusal {
    fn from(error: RunError) -> Refusal {
        Refusal::new(error.message)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the job is refused: {}", self.message)
    }
}

impl std::error::Error for Refusal {}
