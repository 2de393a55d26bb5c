//! The `hive2` action.

use std::iter;

use hpdlc_core::tools::{self, RefusedOptions};

use crate::{
    analysis::{
        action_types::{
            ActionOutput, ActionType, ArgumentList, Outlet, ScriptLanguage, ScriptParams, TextType,
        },
        needed::{Need, Needs},
    },
    model::{
        Template,
        action::{Hive2, HiveSource},
    },
};

impl ActionType for Hive2 {
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

    fn text_type(&self, element: &str) -> TextType {
        match element {
            "jdbc-url" => TextType::Uri,
            _ => TextType::Text,
        }
    }

    fn needed_texts(&self) -> Vec<(&'static str, &Template)> {
        let url = ("jdbc-url", &self.jdbc_url);
        match &self.source {
            HiveSource::Script(script) => vec![("script", script), url],
            // A script without statements runs and does nothing.
            HiveSource::Query(_) => vec![url],
        }
    }

    fn address(&self) -> Option<&Template> {
        Some(&self.jdbc_url)
    }

    fn tool_arguments(&self) -> Option<(&[Template], &'static RefusedOptions)> {
        Some((&self.arguments, &tools::HIVE2))
    }

    fn assignments(&self) -> &[Template] {
        &self.params
    }

    fn outlets(&self) -> Vec<Outlet<'_>> {
        let url = Outlet::new(&self.jdbc_url, "the URL of a database", "beeline prints it")
            .with_help("give it in the `password` element, or use a credential");
        let arguments = Outlet::arguments(
            self.params.iter().chain(&self.arguments),
            "an argument of beeline",
            "use the `password` element, or a credential",
        );
        iter::once(url).chain(arguments).collect()
    }

    fn needs(&self, _has_cluster: bool, needs: &mut Needs) {
        needs.certain.insert(Need::HiveServer);
    }

    fn needs_remote_files(&self, _has_cluster: bool) -> bool {
        true
    }

    fn data(&self) -> ActionOutput {
        ActionOutput::Jobs
    }

    fn has_counters(&self) -> bool {
        false
    }
}
