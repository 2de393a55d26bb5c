use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "odd_cron_fields",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("odd_cron_fields.md"),
};

/// A field of a cron expression that does not do what it says.
pub(crate) struct OddCronField {
    pub(crate) place: Span,
    pub(crate) message: String,
}

impl IntoDiagnostic for OddCronField {
    fn into_diagnostic(self) -> Diagnostic {
        let OddCronField { place, message } = self;
        Diagnostic::new(&LINT, place, "a cron field does not do what it says").label(place, message)
    }
}
