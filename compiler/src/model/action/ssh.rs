//! The `ssh` action: one command on another host.

use hpdlc_core::action;

use crate::model::action::{ActionBody, Parsed};

pub type Ssh = action::Ssh<Parsed>;
pub type SshArguments = action::SshArguments<Parsed>;

impl ActionBody for Ssh {}
