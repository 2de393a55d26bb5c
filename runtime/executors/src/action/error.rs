//! Why an action failed.

use std::fmt;

use hpdlc_core::step::FailureClass;
use hpdlc_program::failure::ActionError;

/// What an action returns.
pub type Result<T = ()> = std::result::Result<T, Error>;

/// Why an action failed: what its class says happens next, a code and a message, which workflows can ask for
/// (`wf:errorCode`, `wf:errorMessage`).
///
/// Every other error becomes one of code `HPDL_ERROR` by `?`, with the texts of its causes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(ActionError);

/// The code of errors of other libraries.
const FOREIGN: &str = "HPDL_ERROR";

/// The code of work of which nobody knows whether it was done.
const LOST: &str = "HPDL_LOST";

/// The action takes its `error` transition, or is retried as its workflow says.
pub fn error(code: impl Into<String>, message: impl fmt::Display) -> Error {
    Error(ActionError::error(code, message.to_string()))
}

/// A failure that may pass by itself: the action is tried again (`oozie.action.retries.max`), then the job is suspended.
pub fn transient(code: impl Into<String>, message: impl fmt::Display) -> Error {
    Error(ActionError::transient(code, message.to_string()))
}

/// A failure that a person has to remove: the job is suspended.
pub fn non_transient(code: impl Into<String>, message: impl fmt::Display) -> Error {
    Error(ActionError::non_transient(code, message.to_string()))
}

/// The job ends FAILED.
pub fn failed(code: impl Into<String>, message: impl fmt::Display) -> Error {
    Error(ActionError::failed(code, message.to_string()))
}

/// It is not known whether the work was done: the job is suspended, or what `hpdl.action.lost` says happens.
pub fn lost(message: impl fmt::Display) -> Error {
    Error(ActionError::error(LOST, message.to_string()))
}

impl Error {
    /// Whether it was made by [`lost`].
    pub(crate) fn is_lost(&self) -> bool {
        self.0.code == LOST
    }

    /// Whether it may pass by itself: it is transient, or an error of another library.
    pub(crate) fn may_pass(&self) -> bool {
        self.0.class == FailureClass::Transient || self.is_foreign()
    }

    /// Whether it is an error of another library.
    pub(crate) fn is_foreign(&self) -> bool {
        self.0.code == FOREIGN
    }

    pub fn code(&self) -> &str {
        &self.0.code
    }

    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// In a workflow, the name of the kill node: `Err(kill("why").named("stop"))`. Elsewhere it changes nothing.
    #[must_use]
    pub fn named(self, _node: &str) -> Error {
        self
    }

    pub fn class(&self) -> FailureClass {
        self.0.class
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.code, self.0.message)
    }
}

impl From<Error> for ActionError {
    fn from(error: Error) -> ActionError {
        error.0
    }
}

// `Error` does not implement `std::error::Error`: this would then be two conversions of one type.
impl<E: std::error::Error> From<E> for Error {
    fn from(foreign: E) -> Error {
        let mut message = foreign.to_string();
        let mut cause = foreign.source();
        while let Some(error) = cause {
            let text = error.to_string();
            // Many errors repeat their cause.
            if !message.contains(&text) {
                message.push_str(": ");
                message.push_str(&text);
            }
            cause = error.source();
        }
        error(FOREIGN, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Outer(std::num::ParseIntError);

    impl fmt::Display for Outer {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("cannot read the limit")
        }
    }

    impl std::error::Error for Outer {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            Some(&self.0)
        }
    }

    #[test]
    fn errors_of_libraries_keep_their_causes() {
        fn read() -> Result<u8> {
            Ok("x".parse().map_err(Outer)?)
        }
        let expected = "HPDL_ERROR: cannot read the limit: invalid digit found in string";
        assert_eq!(
            read().map_err(|error| error.to_string()),
            Err(expected.to_owned())
        );
    }

    #[test]
    fn an_error_keeps_its_class_and_code_by_a_question_mark() {
        fn fail() -> Result<u8> {
            Err(transient("BUSY", 5))?
        }
        assert_eq!(fail(), Err(transient("BUSY", "5")));
    }
}
