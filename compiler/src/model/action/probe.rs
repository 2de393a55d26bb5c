//! The action type used by tests: what it takes to add one.

use hpdlc_core::action;

use crate::model::action::{ActionBody, Parsed};

pub type Probe = action::Probe<Parsed>;

impl ActionBody for Probe {}
