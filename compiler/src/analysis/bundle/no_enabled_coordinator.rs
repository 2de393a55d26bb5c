use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(in crate::analysis) static CODE: Code = Code {
    id: "H0722",
    name: "no_enabled_coordinator",
    level: Level::Error,
    oozie: &["E1318"],
    explanation: include_str!("no_enabled_coordinator.md"),
};

/// No coordinator of a bundle would start.
pub(super) struct NoEnabledCoordinator {
    /// The name in the root's start tag.
    pub(super) place: Span,
    pub(super) disabled: Vec<Span>,
}

impl IntoDiagnostic for NoEnabledCoordinator {
    fn into_diagnostic(self) -> Diagnostic {
        let NoEnabledCoordinator { place, disabled } = self;
        let mut diagnostic =
            Diagnostic::new(&CODE, place, "all coordinators of the bundle are disabled")
                .label(place, "nothing would start");
        for &span in disabled.iter().take(5) {
            diagnostic = diagnostic.label(span, "only `true` enables");
        }
        diagnostic
    }
}
