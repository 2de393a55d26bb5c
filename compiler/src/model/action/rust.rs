//! The `rust` action: a call of a Rust function of the program itself.

use hpdlc_core::action;

use crate::model::action::{ActionBody, Parsed};

pub type Rust = action::Rust<Parsed>;

impl ActionBody for Rust {}
