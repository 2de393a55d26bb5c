use hpdlc_core::time::{DateTimeError, ProcessingZone};

use crate::{
    diagnostics::{Applicability, Diagnostic, code, message},
    source::Span,
};

code!(
    "H0704",
    invalid_date_time,
    ["E1003", "E1301", "E1310", "E1010", "E1012"]
);

/// A text that should be a date and time but is not.
pub(super) struct InvalidDateTime {
    pub(super) place: Span,
    /// What the text is for.
    pub(super) what: &'static str,
    pub(super) error: DateTimeError,
    /// The date that was probably meant.
    pub(super) suggestion: Option<String>,
    /// The processing time zone in which dates are read.
    pub(super) zone: ProcessingZone,
    /// The time zone in which the date is well-formed.
    pub(super) needs: Option<String>,
    /// Where the value is defined, if in another file.
    pub(super) origin: Option<Span>,
}

message!(InvalidDateTime, |place,
                           what,
                           error,
                           suggestion,
                           zone,
                           needs,
                           origin| {
    let mut diagnostic = Diagnostic::new(&CODE, place, format!("invalid date and time for {what}"))
        .label(place, error.to_string());
    if let Some(origin) = origin {
        diagnostic = diagnostic.label(origin, "the value is given here");
    }
    if let Some(needs) = needs {
        let name = zone.name();
        return diagnostic
            .note(format!("the processing time zone is {name} (`oozie.processing.timezone`)"))
            .help(match suggestion {
                Some(date) => format!(
                    "write `{date}`, which is the same instant, or set `oozie.processing.timezone` to `{needs}` in the settings of the site"
                ),
                None => format!("set `oozie.processing.timezone` to `{needs}` in the settings of the site"),
            });
    }
    match suggestion {
        Some(date) if origin.is_none() => diagnostic.suggest(
            place,
            "the form is `yyyy-MM-ddTHH:mmZ`",
            date,
            Applicability::MaybeIncorrect,
        ),
        Some(date) => diagnostic.help(format!("write `{date}`")),
        None => diagnostic.help("the form is `yyyy-MM-ddTHH:mmZ`, such as `2026-01-31T08:00Z`"),
    }
});
