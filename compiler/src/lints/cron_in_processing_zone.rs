use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, cron_in_processing_zone);

/// A cron expression in a coordinator with a time zone of its own.
pub(crate) struct CronInProcessingZone {
    /// The frequency.
    pub(crate) place: Span,
    pub(crate) timezone: Span,
    pub(crate) name: String,
}

message!(CronInProcessingZone, |place, timezone, name| {
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
});
