//! Actions of types that extensions define.

use hpdlc_core::action;

use crate::model::action::{ActionBody, Parsed};

pub type Custom = action::Custom<Parsed>;
pub type CustomElement = action::CustomElement<Parsed>;

impl ActionBody for Custom {}
