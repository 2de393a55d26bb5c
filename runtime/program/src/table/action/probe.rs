//! The action type of tests, which gives back its text: what it takes to add one.

use hpdlc_core::action;

use crate::table::{Compiled, action::ActionDef};

pub type Probe = action::Probe<Compiled>;

impl ActionDef for Probe {
    fn is_process(&self) -> bool {
        false
    }
}
