//! The `fs` action.

use crate::{
    analysis::action_types::{ActionOutput, ActionType, ExitCodes, TextType, TextVisitor},
    model::{
        Template,
        action::{Fs, FsOperation, fs::FsOperationKind},
    },
};

/// The error codes of Oozie's `FsActionExecutor`.
const FS_ERROR_CODES: [&str; 13] = [
    "FS001", "FS002", "FS004", "FS005", "FS006", "FS007", "FS008", "FS009", "FS010", "FS011",
    "FS012", "FS013", "FS014",
];

impl ActionType for Fs {
    fn texts<'a>(&'a self, texts: &mut TextVisitor<'_, 'a>) {
        let Fs {
            settings: _,
            operations,
            of_proposal: _,
        } = self;
        for operation in operations {
            operation_texts(operation, texts);
        }
    }

    fn paths(&self) -> Vec<&Template> {
        let operations = self.operations.iter();
        operations
            .flat_map(|operation| operation.kind.paths())
            .collect()
    }

    fn error_codes(&self) -> &'static [&'static str] {
        &FS_ERROR_CODES
    }

    fn exit_codes(&self) -> ExitCodes {
        ExitCodes::None
    }

    fn data(&self) -> ActionOutput {
        ActionOutput::Never
    }
}

fn operation_texts<'a>(operation: &'a FsOperation, texts: &mut TextVisitor<'_, 'a>) {
    texts.paths(operation.kind.paths());
    let mut push_flag = |flag: &'a Option<Template>| {
        if let Some(flag) = flag {
            texts.push(flag, TextType::Boolean);
        }
    };
    match &operation.kind {
        FsOperationKind::Delete { skip_trash, .. } => push_flag(skip_trash),
        FsOperationKind::Chmod {
            permissions,
            dir_files,
            ..
        } => {
            push_flag(dir_files);
            texts.text([permissions]);
        }
        FsOperationKind::Chgrp {
            group, dir_files, ..
        } => {
            push_flag(dir_files);
            texts.text([group]);
        }
        FsOperationKind::Setrep { factor, .. } => {
            texts.push(factor, TextType::Integer);
        }
        FsOperationKind::Mkdir { .. }
        | FsOperationKind::Move { .. }
        | FsOperationKind::Touchz { .. } => {}
    }
}
