//! The `git` action.

use crate::table::{PrepareOperation, Settings, action::ActionDef};

/// A repository that is cloned: the elements `git-uri`, `branch`, `key-path`, `destination-uri`.
#[derive(Debug)]
pub struct Git {
    pub settings: Settings,
    pub prepare: &'static [PrepareOperation],
}

impl Git {
    /// What stands for the elements that are not written.
    pub const EMPTY: Git = Git {
        settings: Settings::EMPTY,
        prepare: &[],
    };
}

impl ActionDef for Git {
    fn type_name(&self) -> &'static str {
        "git"
    }

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn elements(&self) -> &'static [&'static str] {
        &["git-uri", "branch", "key-path", "destination-uri"]
    }

    fn prepare(&self) -> &'static [PrepareOperation] {
        self.prepare
    }
}
