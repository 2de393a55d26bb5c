//! The `email` action: one message.

use hpdlc_core::action;

use crate::model::action::{ActionBody, NamedFile, Parsed};

pub type Email = action::Email<Parsed>;

impl ActionBody for Email {
    fn files(&self) -> Vec<NamedFile<'_>> {
        self.attachment
            .iter()
            .map(|text| ("attachment", text))
            .collect()
    }

    fn may_write(&self) -> bool {
        false
    }
}
