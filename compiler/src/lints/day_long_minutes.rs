use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "day_long_minutes",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("day_long_minutes.md"),
};

/// Days are counted in minutes where clocks change.
pub(crate) struct DayLongMinutes {
    pub(crate) place: Span,
    pub(crate) days: i64,
    pub(crate) zone: String,
}

impl IntoDiagnostic for DayLongMinutes {
    fn into_diagnostic(self) -> Diagnostic {
        let DayLongMinutes { place, days, zone } = self;
        Diagnostic::new(&LINT, place, "a day is not always 24 hours")
            .label(place, "fixed hours, which drift by one when clocks change")
            .note(format!("the clocks of `{zone}` are changed twice a year"))
            .help(format!(
                "write `${{coord:days({days})}}` for the same time of day"
            ))
    }
}
