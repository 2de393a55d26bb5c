//! The `java` action: a main class.

use hpdlc_core::action;

use crate::table::{Compiled, action::ActionDef};

pub type Java = action::Java<Compiled>;

pub type JavaOpts = action::JavaOpts<Compiled>;

impl ActionDef for Java {}
