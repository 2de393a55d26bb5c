use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(in crate::analysis) static CODE: Code = Code {
    id: "H0719",
    name: "coordinator_argument_count",
    level: Level::Error,
    oozie: &["E1004", "E1310"],
    explanation: include_str!("coordinator_argument_count.md"),
};

/// A function gets more or fewer arguments than it takes.
pub(super) struct CoordinatorArgumentCount {
    pub(super) place: Span,
    /// With its prefix.
    pub(super) name: String,
    pub(super) expected: usize,
    pub(super) found: usize,
}

impl IntoDiagnostic for CoordinatorArgumentCount {
    fn into_diagnostic(self) -> Diagnostic {
        let CoordinatorArgumentCount {
            place,
            name,
            expected,
            found,
        } = self;
        let arguments = if expected == 1 {
            "argument"
        } else {
            "arguments"
        };
        Diagnostic::new(
            &CODE,
            place,
            format!("expected {expected} {arguments} for `{name}`, found {found}"),
        )
        .label(place, format!("takes {expected} {arguments}"))
    }
}
