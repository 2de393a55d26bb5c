//! The `http` action of the proposal of 2009.

use hpdlc_core::action;

use crate::table::{Compiled, action::ActionDef};

pub type Http = action::Http<Compiled>;

pub type HttpPost = action::HttpPost<Compiled>;

impl ActionDef for Http {}
