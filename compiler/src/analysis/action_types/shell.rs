//! The `shell` action.

use crate::{
    analysis::{
        action_types::{ActionOutput, ActionType, ArgumentList, ExitCodes, Outlet},
        needed::{Need, Needs},
    },
    lints::ineligible_retries::UsualFailure,
    model::{Template, action::Shell},
};

impl ActionType for Shell {
    fn arguments(&self) -> Option<ArgumentList<'_>> {
        Some(ArgumentList {
            element: "argument",
            texts: &self.arguments,
        })
    }

    fn needed_texts(&self) -> Vec<(&'static str, &Template)> {
        vec![("exec", &self.exec)]
    }

    fn env_vars(&self) -> &[Template] {
        &self.env_vars
    }

    fn outlets(&self) -> Vec<Outlet<'_>> {
        Outlet::arguments(
            &self.arguments,
            "an argument of a command",
            "give it in an `env-var`, or have the command read a file",
        )
        .collect()
    }

    fn needs(&self, has_cluster: bool, needs: &mut Needs) {
        // Only the program knows what it starts there.
        if has_cluster {
            needs.possible.insert(Need::Yarn);
        }
    }

    fn needs_remote_files(&self, has_cluster: bool) -> bool {
        // What the program starts on its cluster resolves the paths there.
        has_cluster
    }

    fn exit_codes(&self) -> ExitCodes {
        ExitCodes::One
    }

    fn data(&self) -> ActionOutput {
        ActionOutput::Captured(self.capture_output)
    }

    fn has_counters(&self) -> bool {
        false
    }

    fn usual_failure(&self) -> Option<UsualFailure> {
        Some(UsualFailure::Exit(
            "a command that exits with another code than 0",
        ))
    }
}
