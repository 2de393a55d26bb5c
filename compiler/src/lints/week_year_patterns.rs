use crate::{
    diagnostics::{Applicability, Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "week_year_patterns",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("week_year_patterns.md"),
};

/// A pattern of a date with the year of the week.
pub(crate) struct WeekYearPattern {
    pub(crate) place: Span,
    /// With its quotes.
    pub(crate) fixed: String,
}

impl IntoDiagnostic for WeekYearPattern {
    fn into_diagnostic(self) -> Diagnostic {
        let WeekYearPattern { place, fixed } = self;
        Diagnostic::new(&LINT, place, "`Y` is the year that the week belongs to")
            .label(
                place,
                "gives another year in the last or first days of some years",
            )
            .suggest(
                place,
                "`y` is the year of the date",
                fixed,
                Applicability::MaybeIncorrect,
            )
    }
}
