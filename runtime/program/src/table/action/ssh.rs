//! The `ssh` action.

use crate::table::{Settings, action::ActionDef};

/// A command on another host: the elements `host`, `command`, and `args` or `arg`.
#[derive(Debug)]
pub struct Ssh {
    pub settings: Settings,
    pub capture_output: bool,
}

impl Ssh {
    /// What stands for the elements that are not written.
    pub const EMPTY: Ssh = Ssh {
        settings: Settings::EMPTY,
        capture_output: false,
    };
}

impl ActionDef for Ssh {
    fn type_name(&self) -> &'static str {
        "ssh"
    }

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn elements(&self) -> &'static [&'static str] {
        &["host", "command", "args", "arg"]
    }

    fn has_configuration(&self) -> bool {
        false
    }
}
