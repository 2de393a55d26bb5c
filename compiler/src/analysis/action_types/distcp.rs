//! The `distcp` action.

use crate::{
    analysis::{
        action_types::{ActionType, Outlet, TextVisitor},
        needed::{Need, Needs},
    },
    model::action::Distcp,
};

impl ActionType for Distcp {
    fn texts<'a>(&'a self, texts: &mut TextVisitor<'_, 'a>) {
        let Distcp {
            settings: _,
            prepare: _,
            java_opts,
            args,
        } = self;
        texts.text(java_opts);
        texts.text(args);
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
}
