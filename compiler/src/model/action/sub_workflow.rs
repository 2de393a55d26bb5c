//! The `sub-workflow` action: a child job of another application.

use hpdlc_core::action;

use crate::model::action::{ActionBody, Parsed};

pub type SubWorkflow = action::SubWorkflow<Parsed>;

impl ActionBody for SubWorkflow {}
