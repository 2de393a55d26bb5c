//! What is in an action: texts that make it fail whatever the job is given.

use crate::{
    diagnostics::{Code, Sink},
    model::WorkflowApp,
};

pub static CODES: &[&Code] = &[];

/// Checks the contents of every action.
pub(crate) fn check(_app: &WorkflowApp, _sink: &mut Sink) {}
