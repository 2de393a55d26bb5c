use crate::{
    diagnostics::{Applicability, Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "unpadded_dates",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("unpadded_dates.md"),
};

/// A date without its leading zeros.
pub(crate) struct UnpaddedDate {
    pub(crate) place: Span,
    pub(crate) padded: String,
}

impl IntoDiagnostic for UnpaddedDate {
    fn into_diagnostic(self) -> Diagnostic {
        let UnpaddedDate { place, padded } = self;
        Diagnostic::new(&LINT, place, "a date without its leading zeros")
            .label(place, "Oozie reads it, other programs may not")
            .suggest(
                place,
                "with all digits",
                padded,
                Applicability::MachineApplicable,
            )
    }
}
