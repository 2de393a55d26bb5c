//! Error messages for failures of the machine, with how to recover.

use hpdlc_host::exit::RunError;
use hpdlc_store::StoreError;

use crate::engine::Engine;

impl Engine {
    pub(super) fn store_failure(&self, error: &StoreError) -> RunError {
        error.describe_to_owner(self.home.store_location(), &self.root)
    }

    pub(super) fn recoverable(&self, error: RunError) -> RunError {
        error.and_recover(&self.root)
    }
}
