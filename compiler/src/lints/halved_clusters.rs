use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, halved_clusters, ["E0701"]);

/// An action with one half of a cluster: a file system without a resource manager, or the reverse.
pub(crate) struct HalvedCluster {
    pub(crate) action: String,
    /// The name in the body's start tag.
    pub(crate) place: Span,
    /// Where the other half is, in the action or in `global`.
    pub(crate) half: Span,
    pub(crate) has_name_node: bool,
    /// The element for a resource manager in this version of the schema.
    pub(crate) manager: &'static str,
}

message!(HalvedCluster, |action,
                         place,
                         half,
                         has_name_node,
                         manager| {
    let (missing, present) = match has_name_node {
        true => (manager, "name-node"),
        false => ("name-node", manager),
    };
    Diagnostic::new(
        &LINT,
        place,
        format!("action `{action}` has no `{missing}`"),
    )
    .label(place, "neither here nor in `global`")
    .label(half, format!("it has a `{present}`"))
    .note("Oozie refuses the workflow with E0701 unless its server has a default")
    .help_xml(format!("add `<{missing}>` here or in `global`"))
});
