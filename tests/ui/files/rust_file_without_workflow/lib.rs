//! No workflow.

pub fn nothing() {}
