//! The `fs` action: file operations in document order.

use crate::{
    model::{
        Template,
        action::{ActionBody, HadoopSettings},
    },
    source::Span,
};

#[derive(Clone, Debug)]
pub struct Fs {
    pub settings: HadoopSettings,
    pub operations: Vec<FsOperation>,
    /// By the rules of the proposal of 2009: relative paths are relative to the user's home, no path is a pattern, and the
    /// sources of all moves are checked before the first operation.
    pub of_proposal: bool,
}

impl ActionBody for Fs {
    fn name(&self) -> &'static str {
        "fs"
    }

    fn settings(&self) -> Option<&HadoopSettings> {
        Some(&self.settings)
    }
}

#[derive(Clone, Debug)]
pub struct FsOperation {
    /// The name in the operation's start tag.
    pub span: Span,
    pub kind: FsOperationKind,
}

#[derive(Clone, Debug)]
pub enum FsOperationKind {
    /// `skip_trash` is `None` if not written; Oozie's default is true.
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
    Setrep {
        path: Template,
        factor: Template,
    },
}
