//! Properties of a job that list nodes: where to suspend, and what a rerun skips.

use super::Forms;
use crate::{
    analysis::given::JobProperties, diagnostics::nearest,
    lints::undefined_listed_nodes::UndefinedListedNode, model::WorkflowApp,
};

/// Comma-separated names; a single `*` means all.
const LISTS: [&str; 2] = ["oozie.suspend.on.nodes", "oozie.wf.rerun.skip.nodes"];

impl Forms<'_, '_> {
    /// Reports names of nodes that do not exist.
    pub(super) fn listed_nodes(&mut self, app: &WorkflowApp, given: &JobProperties) {
        for list in LISTS {
            let Some((names, _)) = self.known.property(list) else {
                continue;
            };
            // A child inherits every such property of its parent, so that a given one may refer to the nodes of another
            // workflow.
            let is_shared = given.value(list).is_some() && !given.is_complete;
            let has_children = app.sub_workflows().next().is_some();
            if is_shared || has_children || names.trim() == "*" || app.has_gaps() {
                continue;
            }
            let unknown: Vec<String> = names
                .split(',')
                .map(str::trim)
                .filter(|name| !name.is_empty() && app.node_named(name).is_none())
                .map(str::to_owned)
                .collect();
            for name in unknown {
                let place = self.known.place(list).unwrap_or(app.root_span);
                let similar = nearest(&name, app.node_names()).map(str::to_owned);
                self.emit(UndefinedListedNode {
                    property: list,
                    name,
                    place,
                    similar,
                });
            }
        }
    }
}
