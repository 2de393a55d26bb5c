//! Types that extensions define: what they end with and leave is theirs.

use crate::{
    analysis::action_types::{ActionOutput, ActionType},
    model::action::Custom,
};

impl ActionType for Custom {
    fn error_codes(&self) -> &'static [&'static str] {
        &[]
    }

    fn data(&self) -> ActionOutput {
        ActionOutput::Captured(true)
    }
}
