//! The `pig` action.

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
        action::pig::{Pig, PigScript},
    },
};

impl ActionType for Pig {
    fn script_params(&self) -> Option<ScriptParams<'_>> {
        Some(ScriptParams {
            language: ScriptLanguage::Pig,
            texts: &self.params,
        })
    }

    fn assignments(&self) -> &[Template] {
        &self.params
    }

    fn arguments(&self) -> Option<ArgumentList<'_>> {
        Some(ArgumentList {
            element: "argument",
            texts: &self.arguments,
        })
    }

    fn needed_texts(&self) -> Vec<(&'static str, &Template)> {
        vec![("script", self.script.template())]
    }

    fn tool_arguments(&self) -> Option<(&[Template], &'static RefusedOptions)> {
        Some((&self.arguments, &tools::PIG))
    }

    fn outlets(&self) -> Vec<Outlet<'_>> {
        Outlet::arguments(
            self.params.iter().chain(&self.arguments),
            "an argument of Pig",
            "give it in the configuration",
        )
        .collect()
    }

    fn needs(&self, has_cluster: bool, needs: &mut Needs) {
        if let PigScript::OnHost(..) = self.script {
            needs.certain.insert(Need::Ssh);
            return;
        }
        needs.certain.insert(Need::Pig);
        if has_cluster {
            needs.certain.insert(Need::Yarn);
        }
    }

    fn needs_remote_files(&self, _has_cluster: bool) -> bool {
        // With a host, Pig runs there and accesses its files itself.
        matches!(self.script, PigScript::Here(_))
    }

    fn usual_failure(&self) -> Option<UsualFailure> {
        Some(UsualFailure::Exit("a script that fails"))
    }

    fn data(&self) -> ActionOutput {
        ActionOutput::Jobs
    }
}
