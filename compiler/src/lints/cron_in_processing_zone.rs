use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "cron_in_processing_zone",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("cron_in_processing_zone.md"),
};

/// A cron expression in a coordinator with a time zone of its own.
pub(crate) struct CronInProcessingZone {
    /// The frequency.
    pub(crate) place: Span,
    pub(crate) timezone: Span,
    pub(crate) name: String,
}

impl IntoDiagnostic for CronInProcessingZone {
    fn into_diagnostic(self) -> Diagnostic {
        let CronInProcessingZone {
            place,
            timezone,
            name,
        } = self;
        Diagnostic::new(
            &LINT,
            place,
            "the cron expression is not in the coordinator's time zone",
        )
        .label(
            place,
            "hours and days are those of the processing time zone, UTC by default",
        )
        .label(timezone, format!("`{name}` is of no effect on it"))
        .help("write the hours in UTC")
    }
}
