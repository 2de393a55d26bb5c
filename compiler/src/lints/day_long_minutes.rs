use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, day_long_minutes);

/// Days are specified in minutes in a zone with daylight saving time.
pub(crate) struct DayLongMinutes {
    pub(crate) place: Span,
    pub(crate) days: i64,
    pub(crate) zone: String,
}

message!(DayLongMinutes, |place, days, zone| {
    Diagnostic::new(&LINT, place, "a day is not always 24 hours")
        .label(place, "fixed hours, which drift by one when clocks change")
        .note(format!("the clocks of `{zone}` are changed twice a year"))
        .help(format!(
            "write `${{coord:days({days})}}` for the same time of day"
        ))
});
