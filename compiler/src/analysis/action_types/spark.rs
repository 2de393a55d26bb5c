//! The `spark` action.

use crate::{
    analysis::{
        action_types::{ActionOutput, ActionType, ArgumentList, Outlet},
        needed::{Need, Needs},
    },
    model::{Template, action::Spark},
};

impl ActionType for Spark {
    fn arguments(&self) -> Option<ArgumentList<'_>> {
        Some(ArgumentList {
            element: "arg",
            texts: &self.args,
        })
    }

    fn options(&self) -> &[Template] {
        self.spark_opts.as_slice()
    }

    fn outlets(&self) -> Vec<Outlet<'_>> {
        const HELP: &str =
            "give it in the configuration, or in a file named by `--properties-file`";
        Outlet::arguments(&self.spark_opts, "the options of Spark", HELP)
            .chain(Outlet::arguments(
                &self.args,
                "an argument of a program",
                HELP,
            ))
            .collect()
    }

    fn needs(&self, _has_cluster: bool, needs: &mut Needs) {
        let master = self.master.literal().unwrap_or_default().trim();
        let own: &[Need] = if master.starts_with("local") {
            &[Need::LocalSpark]
        } else if master.starts_with("yarn") {
            &[Need::Spark, Need::Yarn]
        } else {
            &[Need::Spark]
        };
        needs.certain.extend(own);
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
