use hpdlc_core::time::DateExtension;

use crate::{
    diagnostics::{Applicability, Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, extended_dates, ["E1003"]);

/// A date in a format that hpdlc reads and Oozie rejects.
pub(crate) struct ExtendedDate {
    pub(crate) place: Span,
    pub(crate) extension: DateExtension,
    /// The same date in Oozie's format.
    pub(crate) written: String,
    /// The place is the date itself, not a text that evaluates to it.
    pub(crate) is_literal: bool,
    /// Where the value is given, if elsewhere.
    pub(crate) origin: Option<Span>,
}

message!(ExtendedDate, |place,
                        extension,
                        written,
                        is_literal,
                        origin| {
    let label = match extension {
        DateExtension::Hour24 => format!("the end of the day, read as `{written}`"),
        DateExtension::Seconds => format!("has seconds, read as `{written}`"),
    };
    let diagnostic = Diagnostic::new(&LINT, place, "a date that Oozie refuses").label(place, label);
    let diagnostic = match origin {
        Some(origin) => diagnostic
            .label(origin, "the value is given here")
            .help(format!("in the form that Oozie reads: `{written}`")),
        None => diagnostic,
    };
    if is_literal {
        diagnostic.suggest(
            place,
            "in the form that Oozie reads",
            written,
            Applicability::MachineApplicable,
        )
    } else {
        diagnostic
    }
});
