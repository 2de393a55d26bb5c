//! The action type used by tests: what it takes to add one.

use crate::{analysis::action_types::ActionType, model::action::probe::Probe};

impl ActionType for Probe {}
