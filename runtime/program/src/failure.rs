//! Why an attempt of an action failed.

use hpdlc_core::step::FailureClass;

/// Why an action's attempt failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionError {
    pub class: FailureClass,
    /// Oozie's error code, such as `JA018`, or an exit code.
    pub code: String,
    pub message: String,
}

impl ActionError {
    pub fn new(class: FailureClass, code: impl Into<String>, message: impl Into<String>) -> Self {
        ActionError {
            class,
            code: code.into(),
            message: message.into(),
        }
    }

    pub fn transient(code: impl Into<String>, message: impl Into<String>) -> ActionError {
        ActionError::new(FailureClass::Transient, code, message)
    }

    pub fn non_transient(code: impl Into<String>, message: impl Into<String>) -> ActionError {
        ActionError::new(FailureClass::NonTransient, code, message)
    }

    /// The `error` transition.
    pub fn error(code: impl Into<String>, message: impl Into<String>) -> ActionError {
        ActionError::new(FailureClass::Error, code, message)
    }

    /// The job FAILED.
    pub fn failed(code: impl Into<String>, message: impl Into<String>) -> ActionError {
        ActionError::new(FailureClass::Failed, code, message)
    }
}
