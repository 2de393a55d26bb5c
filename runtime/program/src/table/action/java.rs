//! The `java` action: a main class.

use crate::table::{PrepareOperation, Settings, action::ActionDef};

#[derive(Debug)]
pub struct Java {
    pub settings: Settings,
    pub prepare: &'static [PrepareOperation],
    pub capture_output: bool,
}

impl Java {
    /// What stands for the elements that are not written.
    pub const EMPTY: Java = Java {
        settings: Settings::EMPTY,
        prepare: &[],
        capture_output: false,
    };
}

impl ActionDef for Java {
    fn type_name(&self) -> &'static str {
        "java"
    }

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn elements(&self) -> &'static [&'static str] {
        &[
            "main-class",
            "java-opts",
            "java-opt",
            "arg",
            "file",
            "archive",
        ]
    }

    fn prepare(&self) -> &'static [PrepareOperation] {
        self.prepare
    }
}
