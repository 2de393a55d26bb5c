use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(in crate::analysis) static CODE: Code = Code {
    id: "H0721",
    name: "duplicate_coordinator",
    level: Level::Error,
    oozie: &["E1304", "E1310"],
    explanation: include_str!("duplicate_coordinator.md"),
};

/// Two coordinators of a bundle have the same name.
pub(super) struct DuplicateCoordinator {
    pub(super) name: String,
    pub(super) first: Span,
    pub(super) second: Span,
}

impl IntoDiagnostic for DuplicateCoordinator {
    fn into_diagnostic(self) -> Diagnostic {
        let DuplicateCoordinator {
            name,
            first,
            second,
        } = self;
        Diagnostic::new(
            &CODE,
            second,
            format!("the bundle has two coordinators `{name}`"),
        )
        .label(second, "named again here")
        .label(first, "first named here")
    }
}
