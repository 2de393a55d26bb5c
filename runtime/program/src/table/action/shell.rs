//! The `shell` action: one command.

use crate::table::{PrepareOperation, Settings, action::ActionDef};

#[derive(Debug)]
pub struct Shell {
    pub settings: Settings,
    pub prepare: &'static [PrepareOperation],
    pub capture_output: bool,
}

impl Shell {
    /// What stands for the elements that are not written.
    pub const EMPTY: Shell = Shell {
        settings: Settings::EMPTY,
        prepare: &[],
        capture_output: false,
    };
}

impl ActionDef for Shell {
    fn type_name(&self) -> &'static str {
        "shell"
    }

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn elements(&self) -> &'static [&'static str] {
        &["exec", "argument", "env-var", "file", "archive"]
    }

    fn prepare(&self) -> &'static [PrepareOperation] {
        self.prepare
    }

    fn starts_at_once(&self) -> bool {
        self.prepare.is_empty()
            && self.settings.element("file").is_none()
            && self.settings.element("archive").is_none()
    }

    fn ends_by_its_code(&self) -> bool {
        !self.capture_output
    }
}
