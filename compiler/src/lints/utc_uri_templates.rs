use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "utc_uri_templates",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("utc_uri_templates.md"),
};

/// The days in URIs are not those of the dataset's time zone.
pub(crate) struct UtcUriTemplate {
    /// The template.
    pub(crate) place: Span,
    pub(crate) timezone: Span,
    pub(crate) zone: String,
}

impl IntoDiagnostic for UtcUriTemplate {
    fn into_diagnostic(self) -> Diagnostic {
        let UtcUriTemplate {
            place,
            timezone,
            zone,
        } = self;
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
    }
}
