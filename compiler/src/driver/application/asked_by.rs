//! By what a workflow is asked for.

use hpdlc_core::app_uri::APP_PATH;

/// What a workflow is asked for by.
#[derive(Debug, Clone)]
pub(super) struct AskedBy {
    pub(super) uri: String,
    pub(super) kept_uri: String,
}

impl AskedBy {
    /// An application that is compiled for itself.
    pub(super) fn own() -> AskedBy {
        AskedBy {
            uri: APP_PATH.to_owned(),
            kept_uri: APP_PATH.to_owned(),
        }
    }
}
