//! The `git` action.

use hpdlc_core::action;

use crate::table::{Compiled, action::ActionDef};

pub type Git = action::Git<Compiled>;

impl ActionDef for Git {}
