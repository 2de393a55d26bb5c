use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(in crate::analysis) static CODE: Code = Code {
    id: "H0723",
    name: "coordinator_version_in_bundle",
    level: Level::Error,
    oozie: &["E1319"],
    explanation: include_str!("coordinator_version_in_bundle.md"),
};

/// A bundle starts a coordinator of schema 0.1.
pub(super) struct CoordinatorVersionInBundle {
    /// The `app-path` in the bundle.
    pub(super) place: Span,
    /// The root element of the coordinator.
    pub(super) root: Span,
}

impl IntoDiagnostic for CoordinatorVersionInBundle {
    fn into_diagnostic(self) -> Diagnostic {
        let CoordinatorVersionInBundle { place, root } = self;
        Diagnostic::new(
            &CODE,
            place,
            "a bundle cannot start a coordinator of schema 0.1",
        )
        .label(place, "started here")
        .label(root, "a coordinator of schema 0.1")
        .help("write schema 0.2 or later into the coordinator; the older elements stay valid")
    }
}
