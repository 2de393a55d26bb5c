//! What the machine does to a job, in words: how to go on.

use crate::{engine::Engine, exit::RunError, store::StoreError};

impl Engine {
    pub(super) fn store_failure(&self, error: &StoreError) -> RunError {
        let described = error.describe(&self.home.store());
        match error {
            // There is nothing to recover from.
            StoreError::Deleted => described,
            StoreError::NotOwner { .. } | StoreError::Sqlite(_) | StoreError::Sync(_) => {
                self.recoverable(described)
            }
        }
    }

    pub(super) fn recoverable(&self, error: RunError) -> RunError {
        error.and_recover(&self.root)
    }
}
