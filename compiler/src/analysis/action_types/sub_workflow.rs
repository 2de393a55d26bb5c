//! The `sub-workflow` action.

use crate::{
    analysis::action_types::{ActionOutput, ActionType, ExitCodes, TextType},
    lints::ineligible_retries::UsualFailure,
    model::{Template, action::SubWorkflow},
};

impl ActionType for SubWorkflow {
    fn has_counters(&self) -> bool {
        false
    }

    fn text_type(&self, element: &str) -> TextType {
        match element {
            "app-path" => TextType::Path,
            _ => TextType::Text,
        }
    }

    fn needed_texts(&self) -> Vec<(&'static str, &Template)> {
        let mut needed = vec![("app-path", &self.app_path)];
        needed.extend(self.host_url.iter().map(|url| ("host-url", url)));
        needed
    }

    fn error_codes(&self) -> &'static [&'static str] {
        &[]
    }

    fn exit_codes(&self) -> ExitCodes {
        ExitCodes::None
    }

    fn data(&self) -> ActionOutput {
        ActionOutput::Never
    }

    fn usual_failure(&self) -> Option<UsualFailure> {
        Some(UsualFailure::Child)
    }
}
