use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, other_processing_time_zones, ["E1003"]);

/// A date for a server whose processing time zone is not UTC, where no settings of a site specify the zone.
pub(crate) struct OtherProcessingTimeZone {
    pub(crate) place: Span,
    /// The value of the setting that the date requires, such as `GMT+0800`.
    pub(crate) zone: String,
}

message!(OtherProcessingTimeZone, |place, zone| {
    Diagnostic::new(&LINT, place, "a date in another processing time zone than UTC")
        .label(place, format!("needs the processing time zone {zone}"))
        .note("without settings of a site the processing time zone is UTC, and the job is refused (E1003)")
        .help(format!(
            "set `oozie.processing.timezone` to `{zone}` in `hpdl-site.xml` of the state folder, or in the file that HPDL_SITE names"
        ))
});
