//! The `sub-workflow` action: a job of its own.

use hpdlc_core::action;

use crate::table::{Compiled, Template, action::ActionDef};

pub type SubWorkflow = action::SubWorkflow<Compiled>;

impl ActionDef for SubWorkflow {
    fn child(&self) -> Option<Template> {
        Some(self.app_path)
    }

    fn is_process(&self) -> bool {
        false
    }
}
