//! The `shell` action: one command.

use hpdlc_core::action;

use crate::table::{Compiled, action::ActionDef};

pub type Shell = action::Shell<Compiled>;

impl ActionDef for Shell {
    fn starts_at_once(&self) -> bool {
        self.prepare.is_empty() && self.files.is_empty() && self.archives.is_empty()
    }

    fn ends_by_its_code(&self) -> bool {
        !self.capture_output
    }
}
