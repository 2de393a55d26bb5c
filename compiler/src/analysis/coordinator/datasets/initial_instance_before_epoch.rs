use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(in crate::analysis) static CODE: Code = Code {
    id: "H0710",
    name: "initial_instance_before_epoch",
    level: Level::Error,
    oozie: &["E1021"],
    explanation: include_str!("initial_instance_before_epoch.md"),
};

/// A dataset begins before 1970.
pub(super) struct InitialInstanceBeforeEpoch {
    pub(super) place: Span,
}

impl IntoDiagnostic for InitialInstanceBeforeEpoch {
    fn into_diagnostic(self) -> Diagnostic {
        let InitialInstanceBeforeEpoch { place } = self;
        Diagnostic::new(&CODE, place, "the initial instance is before 1970")
            .label(place, "Oozie takes none before 1970-01-01T00:00Z")
    }
}
