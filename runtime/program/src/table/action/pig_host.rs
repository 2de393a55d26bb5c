//! The `pig` action of the proposal of 2009, which runs on another host.

use crate::table::{PrepareOperation, Settings, action::ActionDef};

/// Pig on another host: the elements `pig-host`, `pig-script` and `param`.
#[derive(Debug)]
pub struct PigHost {
    pub settings: Settings,
    pub prepare: &'static [PrepareOperation],
}

impl PigHost {
    /// What stands for the elements that are not written.
    pub const EMPTY: PigHost = PigHost {
        settings: Settings::EMPTY,
        prepare: &[],
    };
}

impl ActionDef for PigHost {
    fn type_name(&self) -> &'static str {
        "pig"
    }

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn elements(&self) -> &'static [&'static str] {
        &["pig-host", "pig-script", "param"]
    }

    fn prepare(&self) -> &'static [PrepareOperation] {
        self.prepare
    }
}
