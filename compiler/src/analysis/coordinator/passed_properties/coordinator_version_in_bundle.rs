use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0723", coordinator_version_in_bundle, ["E1319"]);

/// A bundle starts a coordinator of schema 0.1.
pub(super) struct CoordinatorVersionInBundle {
    /// The `app-path` in the bundle.
    pub(super) place: Span,
    /// The root element of the coordinator.
    pub(super) root: Span,
}

message!(CoordinatorVersionInBundle, |place, root| {
    Diagnostic::new(
        &CODE,
        place,
        "a bundle cannot start a coordinator of schema 0.1",
    )
    .label(place, "started here")
    .label(root, "a coordinator of schema 0.1")
    .help_xml("write schema 0.2 or later into the coordinator; the older elements stay valid")
});
