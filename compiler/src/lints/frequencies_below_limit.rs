use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "frequencies_below_limit",
    default_level: LintLevel::Warn,
    oozie: &["E1003"],
    explanation: include_str!("frequencies_below_limit.md"),
};

/// A coordinator that runs more often than Oozie allows by default.
pub(crate) struct FrequencyBelowLimit {
    pub(crate) place: Span,
    pub(crate) minutes: i64,
}

impl IntoDiagnostic for FrequencyBelowLimit {
    fn into_diagnostic(self) -> Diagnostic {
        let FrequencyBelowLimit { place, minutes } = self;
        Diagnostic::new(
            &LINT,
            place,
            "the coordinator runs more often than every five minutes",
        )
        .label(
            place,
            if minutes == 1 {
                "every minute".to_owned()
            } else {
                format!("every {minutes} minutes")
            },
        )
        .note("Oozie refuses this unless its server is configured otherwise")
    }
}
