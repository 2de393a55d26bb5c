//! The `sub-workflow` action.

use crate::{
    analysis::action_types::{ActionOutput, ActionType, ExitCodes, TextVisitor},
    lints::ineligible_retries::UsualFailure,
    model::{Template, action::SubWorkflow},
};

impl ActionType for SubWorkflow {
    fn texts<'a>(&'a self, texts: &mut TextVisitor<'_, 'a>) {
        let SubWorkflow {
            settings: _,
            app_path,
            propagate_configuration: _,
        } = self;
        texts.paths([app_path]);
    }

    fn needed_texts(&self) -> Vec<(&'static str, &Template)> {
        vec![("app-path", &self.app_path)]
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
