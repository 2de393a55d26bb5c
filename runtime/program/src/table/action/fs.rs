//! The `fs` action.

use hpdlc_core::action;

use crate::table::{Compiled, action::ActionDef};

pub type Fs = action::Fs<Compiled>;

pub type FsOperation = action::FsOperation<Compiled>;

impl ActionDef for Fs {
    fn has_configuration(&self) -> bool {
        false
    }

    fn is_process(&self) -> bool {
        false
    }
}
