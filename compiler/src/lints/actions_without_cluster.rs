use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Allow, actions_without_cluster, ["E0701"]);

/// An action of a type that Oozie runs on a cluster, without a specified cluster.
pub(crate) struct ActionWithoutCluster {
    pub(crate) action: String,
    pub(crate) has_name_node: bool,
    pub(crate) has_cluster: bool,
    /// The name in the body's start tag.
    pub(crate) place: Span,
}

message!(
    ActionWithoutCluster,
    |action, has_name_node, has_cluster, place| {
        let missing = match (has_name_node, has_cluster) {
            (true, _) => "`resource-manager`",
            (false, true) => "`name-node`",
            (false, false) => "`name-node` and no `resource-manager`",
        };
        Diagnostic::new(&LINT, place, format!("action `{action}` has no {missing}"))
            .label(place, "`global` has none either")
            .note("Oozie refuses the workflow unless its server has defaults")
    }
);
