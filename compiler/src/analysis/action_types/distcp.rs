//! The `distcp` action.

use crate::{
    analysis::{
        action_types::{ActionOutput, ActionType, ArgumentList, Outlet},
        needed::{Need, Needs},
    },
    model::action::Distcp,
};

impl ActionType for Distcp {
    fn arguments(&self) -> Option<ArgumentList<'_>> {
        Some(ArgumentList {
            element: "arg",
            texts: &self.args,
        })
    }

    fn outlets(&self) -> Vec<Outlet<'_>> {
        Outlet::arguments(
            &self.args,
            "an argument of distcp",
            "give it in the configuration",
        )
        .collect()
    }

    fn needs(&self, has_cluster: bool, needs: &mut Needs) {
        needs.certain.insert(if has_cluster {
            Need::Yarn
        } else {
            Need::Hadoop
        });
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
