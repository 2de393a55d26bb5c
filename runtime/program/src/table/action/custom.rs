//! An action of a type that an extension defines.

use hpdlc_core::action;

use crate::table::{Compiled, action::ActionDef};

pub type Custom = action::Custom<Compiled>;
pub type CustomElement = action::CustomElement<Compiled>;

impl ActionDef for Custom {
    fn is_process(&self) -> bool {
        !self.function.is_empty()
    }

    fn retries_every_error(&self) -> bool {
        true
    }
}
