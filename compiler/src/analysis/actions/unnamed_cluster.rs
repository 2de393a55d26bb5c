use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0613", unnamed_cluster, ["E0701"]);

/// An action of the dialect of 2009 that does not specify its cluster.
pub(super) struct UnnamedCluster {
    pub(super) action: String,
    /// The properties that are missing.
    pub(super) missing: Vec<&'static str>,
    /// The name in the body's start tag.
    pub(super) place: Span,
}

message!(UnnamedCluster, |action, missing, place| {
    let names: Vec<String> = missing.iter().map(|name| format!("`{name}`")).collect();
    let names = names.join(" and ");
    Diagnostic::new(
        &CODE,
        place,
        format!("action `{action}` does not say its {names}"),
    )
    .label(place, "it cannot be started")
    .help_xml(format!(
        "set {names} in its `configuration`, or name a file that does in `job-xml`"
    ))
});
