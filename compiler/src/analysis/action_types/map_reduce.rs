//! The `map-reduce` action.

use crate::{
    analysis::{
        action_types::{ActionOutput, ActionType},
        needed::{Need, Needs},
    },
    model::action::MapReduce,
};

impl ActionType for MapReduce {
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
}
