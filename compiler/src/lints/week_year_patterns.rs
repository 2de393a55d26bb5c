use crate::{
    diagnostics::{Applicability, Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, week_year_patterns);

/// A date pattern with the week year.
pub(crate) struct WeekYearPattern {
    pub(crate) place: Span,
    /// With its quotes.
    pub(crate) fixed: String,
}

message!(WeekYearPattern, |place, fixed| {
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
});
