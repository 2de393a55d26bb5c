use hpdlc_core::{sla::SlaFault, time::DateTimeError};

use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0611", invalid_sla_time, ["E0302", "E0803", "E1007"]);

/// An invalid time in an SLA block.
pub(super) struct InvalidSlaTime {
    pub(super) element: &'static str,
    pub(super) text: String,
    pub(super) fault: SlaFault,
    pub(super) place: Span,
    /// The value is literal in the document, not the result of an expression.
    pub(super) is_written: bool,
    /// Where the value is defined, if in another file.
    pub(super) origin: Option<Span>,
}

message!(InvalidSlaTime, |element,
                          text,
                          fault,
                          place,
                          is_written,
                          origin| {
    let label = match fault {
        SlaFault::Date(DateTimeError::Shape | DateTimeError::Ending) => {
            "expected a date such as `2026-11-20T00:00Z`"
        }
        SlaFault::Date(DateTimeError::NoSuchDay) => "there is no such day",
        SlaFault::Date(DateTimeError::NoSuchTime) => "there is no such time of day",
        SlaFault::Minutes => "expected a number of minutes",
        SlaFault::Negative => "lies before the nominal time",
        SlaFault::TooFar => "is beyond the calendar",
    };
    let mut diagnostic = Diagnostic::new(
        &CODE,
        place,
        format!("invalid `{element}` in an SLA block: `{text}`"),
    )
    .label(place, label);
    if let Some(origin) = origin {
        diagnostic = diagnostic.label(origin, "the value is given here");
    }
    let has_unit = ["MINUTES", "HOURS", "DAYS"]
        .iter()
        .any(|unit| text.contains(unit));
    if fault == SlaFault::Minutes && has_unit && is_written {
        diagnostic.help(format!("as an expression it is `${{{text}}}`"))
    } else {
        diagnostic
    }
});
