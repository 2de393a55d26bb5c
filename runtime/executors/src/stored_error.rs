//! An action's failure as one process stores it for another.

use hpdlc_core::step::FailureClass;
use hpdlc_program::failure::ActionError;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredClass {
    Transient,
    NonTransient,
    Error,
    Failed,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredError {
    class: StoredClass,
    code: String,
    message: String,
}

impl StoredError {
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl From<ActionError> for StoredError {
    fn from(error: ActionError) -> StoredError {
        StoredError {
            class: match error.class {
                FailureClass::Transient => StoredClass::Transient,
                FailureClass::NonTransient => StoredClass::NonTransient,
                FailureClass::Error => StoredClass::Error,
                FailureClass::Failed => StoredClass::Failed,
            },
            code: error.code,
            message: error.message,
        }
    }
}

impl From<StoredError> for ActionError {
    fn from(error: StoredError) -> ActionError {
        let class = match error.class {
            StoredClass::Transient => FailureClass::Transient,
            StoredClass::NonTransient => FailureClass::NonTransient,
            StoredClass::Error => FailureClass::Error,
            StoredClass::Failed => FailureClass::Failed,
        };
        ActionError::new(class, error.code, error.message)
    }
}
