//! The action type used by tests: what it takes to add one.

use crate::model::{Template, action::ActionBody};

#[derive(Clone, Debug)]
pub struct Probe {
    pub text: Template,
}

impl ActionBody for Probe {
    fn name(&self) -> &'static str {
        "probe"
    }
}
