//! The `ssh` action.

use hpdlc_core::action;

use crate::table::{Compiled, action::ActionDef};

pub type Ssh = action::Ssh<Compiled>;

pub type SshArguments = action::SshArguments<Compiled>;

impl ActionDef for Ssh {}
