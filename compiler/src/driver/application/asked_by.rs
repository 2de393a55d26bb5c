//! The URI by which a workflow is requested.

use hpdlc_core::app_uri::APP_PATH;

/// The URI by which a workflow is requested, here and as stored for any user.
#[derive(Debug, Clone)]
pub(super) struct AskedBy {
    pub(super) uri: String,
    pub(super) kept_uri: String,
}

impl AskedBy {
    /// An application that is compiled as the top-level one.
    pub(super) fn own() -> AskedBy {
        AskedBy {
            uri: APP_PATH.to_owned(),
            kept_uri: APP_PATH.to_owned(),
        }
    }
}
