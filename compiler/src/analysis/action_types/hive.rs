//! The `hive` action.

use hpdlc_core::tools::{self, RefusedOptions};

use crate::{
    analysis::{
        action_types::{
            ActionOutput, ActionType, ArgumentList, Outlet, ScriptLanguage, ScriptParams,
        },
        needed::{Need, Needs},
    },
    lints::ineligible_retries::UsualFailure,
    model::{
        Template,
        action::{Hive, HiveSource},
    },
};

impl ActionType for Hive {
    fn script_params(&self) -> Option<ScriptParams<'_>> {
        Some(ScriptParams {
            language: ScriptLanguage::Hive,
            texts: &self.params,
        })
    }

    fn arguments(&self) -> Option<ArgumentList<'_>> {
        Some(ArgumentList {
            element: "argument",
            texts: &self.arguments,
        })
    }

    fn needed_texts(&self) -> Vec<(&'static str, &Template)> {
        match &self.source {
            HiveSource::Script(script) => vec![("script", script)],
            // A script without statements runs and does nothing.
            HiveSource::Query(_) => Vec::new(),
        }
    }

    fn tool_arguments(&self) -> Option<(&[Template], &'static RefusedOptions)> {
        Some((&self.arguments, &tools::HIVE))
    }

    fn assignments(&self) -> &[Template] {
        &self.params
    }

    fn outlets(&self) -> Vec<Outlet<'_>> {
        Outlet::arguments(
            self.params.iter().chain(&self.arguments),
            "an argument of Hive",
            "give it in the configuration",
        )
        .collect()
    }

    fn needs(&self, has_cluster: bool, needs: &mut Needs) {
        needs.certain.insert(Need::Hive);
        if has_cluster {
            needs.certain.insert(Need::Yarn);
        }
    }

    fn needs_remote_files(&self, _has_cluster: bool) -> bool {
        true
    }

    fn usual_failure(&self) -> Option<UsualFailure> {
        Some(UsualFailure::Exit("a script that fails"))
    }

    fn data(&self) -> ActionOutput {
        ActionOutput::Jobs
    }

    fn has_counters(&self) -> bool {
        false
    }
}
