//! The action type of tests, which gives back its text: what it takes to add one.

use crate::table::{Settings, action::ActionDef};

/// The element `text`.
#[derive(Debug)]
pub struct Probe {
    pub settings: Settings,
}

impl ActionDef for Probe {
    fn type_name(&self) -> &'static str {
        "probe"
    }

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn elements(&self) -> &'static [&'static str] {
        &["text"]
    }

    fn has_configuration(&self) -> bool {
        false
    }

    fn is_process(&self) -> bool {
        false
    }
}
