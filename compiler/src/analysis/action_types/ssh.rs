//! The `ssh` action.

use std::iter;

use crate::{
    analysis::{
        action_types::{ActionOutput, ActionType, Outlet},
        needed::{Need, Needs},
    },
    model::{Template, action::Ssh},
};

impl ActionType for Ssh {
    fn has_counters(&self) -> bool {
        false
    }

    fn needed_texts(&self) -> Vec<(&'static str, &Template)> {
        vec![("host", &self.host)]
    }

    fn host(&self) -> Option<&Template> {
        Some(&self.host)
    }

    fn outlets(&self) -> Vec<Outlet<'_>> {
        let line = iter::once(&self.command).chain(self.arguments.templates());
        Outlet::arguments(
            line,
            "the command line of another host",
            "keep the secret in a file on that host",
        )
        .collect()
    }

    fn needs(&self, _has_cluster: bool, needs: &mut Needs) {
        needs.certain.insert(Need::Ssh);
    }

    fn error_codes(&self) -> &'static [&'static str] {
        &[]
    }

    fn data(&self) -> ActionOutput {
        ActionOutput::Captured(self.capture_output)
    }
}
