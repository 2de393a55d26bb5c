//! The reason for the failure of an action's attempt.

use hpdlc_core::step::FailureClass;

/// The reason for the failure of an attempt.
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

    /// A failure that takes the `error` transition.
    pub fn error(code: impl Into<String>, message: impl Into<String>) -> ActionError {
        ActionError::new(FailureClass::Error, code, message)
    }

    /// A failure that ends the job FAILED.
    pub fn failed(code: impl Into<String>, message: impl Into<String>) -> ActionError {
        ActionError::new(FailureClass::Failed, code, message)
    }
}
