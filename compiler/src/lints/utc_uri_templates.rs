use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, utc_uri_templates);

/// The days in URIs are not those of the dataset's time zone.
pub(crate) struct UtcUriTemplate {
    /// The template.
    pub(crate) place: Span,
    pub(crate) timezone: Span,
    pub(crate) zone: String,
}

message!(UtcUriTemplate, |place, timezone, zone| {
    Diagnostic::new(
        &LINT,
        place,
        "the dates in the URI are not of the dataset's time zone",
    )
    .label(
        place,
        "filled in by the processing time zone, UTC by default",
    )
    .label(timezone, format!("days begin by the clocks of `{zone}`"))
    .note("a local day can have the date of the day before or after")
});
