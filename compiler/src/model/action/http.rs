//! The `http` action of the workflow schema 0.1 and of 2009: one request.

use hpdlc_core::action;

use crate::model::action::{ActionBody, Parsed};

pub type Http = action::Http<Parsed>;
pub type HttpPost = action::HttpPost<Parsed>;

impl ActionBody for Http {}
