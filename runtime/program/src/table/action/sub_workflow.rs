//! The `sub-workflow` action: a job of its own.

use crate::table::{Settings, Template, action::ActionDef};

#[derive(Debug)]
pub struct SubWorkflow {
    pub settings: Settings,
    pub propagate_configuration: bool,
}

impl SubWorkflow {
    /// What stands for the elements that are not written.
    pub const EMPTY: SubWorkflow = SubWorkflow {
        settings: Settings::EMPTY,
        propagate_configuration: false,
    };
}

impl ActionDef for SubWorkflow {
    fn type_name(&self) -> &'static str {
        "sub-workflow"
    }

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn elements(&self) -> &'static [&'static str] {
        &["app-path"]
    }

    fn child(&self) -> Option<Template> {
        Some(self.settings.required("app-path"))
    }

    fn is_process(&self) -> bool {
        false
    }
}
