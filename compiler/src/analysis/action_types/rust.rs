//! The `rust` action.

use crate::{
    analysis::action_types::{ActionOutput, ActionType},
    model::action::Rust,
};

impl ActionType for Rust {
    /// Its function chooses them.
    fn error_codes(&self) -> &'static [&'static str] {
        &[]
    }

    fn data(&self) -> ActionOutput {
        ActionOutput::Captured(true)
    }
}
