//! The `fs` action.

use crate::table::{Settings, Template, action::ActionDef};

#[derive(Debug)]
pub struct Fs {
    pub settings: Settings,
    pub operations: &'static [FsOperation],
    /// It follows the rules of the proposal of 2009: no path is a pattern, relative paths begin at the user's home, and
    /// what moves is looked at before the first operation.
    pub of_proposal: bool,
}

impl Fs {
    /// What stands for the elements that are not written.
    pub const EMPTY: Fs = Fs {
        settings: Settings::EMPTY,
        operations: &[],
        of_proposal: false,
    };
}

#[derive(Debug)]
pub enum FsOperation {
    Delete {
        path: Template,
        skip_trash: Option<Template>,
    },
    Mkdir {
        path: Template,
    },
    Move {
        source: Template,
        target: Template,
    },
    Chmod {
        path: Template,
        permissions: Template,
        dir_files: Option<Template>,
        recursive: bool,
    },
    Chgrp {
        path: Template,
        group: Template,
        dir_files: Option<Template>,
        recursive: bool,
    },
    Touchz {
        path: Template,
    },
    /// Local files have no replicas: checked and otherwise without effect there.
    Setrep {
        path: Template,
        factor: Template,
    },
}

impl ActionDef for Fs {
    fn type_name(&self) -> &'static str {
        "fs"
    }

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn elements(&self) -> &'static [&'static str] {
        &["name-node"]
    }

    fn has_configuration(&self) -> bool {
        false
    }

    fn operations(&self) -> &'static [FsOperation] {
        self.operations
    }

    fn is_process(&self) -> bool {
        false
    }
}
