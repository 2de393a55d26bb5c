//! The `email` action.

use hpdlc_core::action;

use crate::table::{Compiled, action::ActionDef};

pub type Email = action::Email<Compiled>;

impl ActionDef for Email {}
