//! The `fs` action.

use crate::{
    analysis::action_types::{ActionOutput, ActionType, ExitCodes, TextType},
    model::{Template, action::Fs},
};

/// The error codes of Oozie's `FsActionExecutor`.
const FS_ERROR_CODES: [&str; 13] = [
    "FS001", "FS002", "FS004", "FS005", "FS006", "FS007", "FS008", "FS009", "FS010", "FS011",
    "FS012", "FS013", "FS014",
];

impl ActionType for Fs {
    fn has_counters(&self) -> bool {
        false
    }

    fn text_type(&self, attribute: &str) -> TextType {
        match attribute {
            "path" | "source" | "target" => TextType::Path,
            "skip-trash" | "dir-files" => TextType::Boolean,
            "replication-factor" => TextType::Integer,
            _ => TextType::Text,
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
