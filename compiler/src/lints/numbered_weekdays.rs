use crate::{
    diagnostics::{Applicability, Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, numbered_weekdays);

/// Days of the week as numbers.
pub(crate) struct NumberedWeekdays {
    pub(crate) place: Span,
    pub(crate) written: String,
    /// The days as they count here: `SUN-THU`.
    pub(crate) here: String,
    /// The days as crontab counts: `MON-FRI`.
    pub(crate) in_crontab: String,
}

message!(NumberedWeekdays, |place, written, here, in_crontab| {
    // Nearly always the days of work are meant.
    let is_workdays = in_crontab == "MON-FRI";
    Diagnostic::new(&LINT, place, format!("day of week `{written}` is {here}"))
        .label(place, "1 is Sunday here; to crontab it is Monday")
        .suggest(
            place,
            match is_workdays {
                true => format!("write names: `{here}` if these days are meant, or"),
                false => {
                    format!("write names: `{in_crontab}` if the days of crontab are meant, or")
                }
            },
            match is_workdays {
                true => in_crontab,
                false => here,
            },
            Applicability::MaybeIncorrect,
        )
});
