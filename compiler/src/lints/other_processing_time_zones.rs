use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(crate) static LINT: Lint = Lint {
    name: "other_processing_time_zones",
    default_level: LintLevel::Warn,
    oozie: &["E1003"],
    explanation: include_str!("other_processing_time_zones.md"),
};

/// A date is written for a server whose processing time zone is not UTC, and no settings of a site say which one it is.
pub(crate) struct OtherProcessingTimeZone {
    pub(crate) place: Span,
    /// The value of the setting that the date needs, such as `GMT+0800`.
    pub(crate) zone: String,
}

impl IntoDiagnostic for OtherProcessingTimeZone {
    fn into_diagnostic(self) -> Diagnostic {
        let OtherProcessingTimeZone { place, zone } = self;
        Diagnostic::new(&LINT, place, "a date in another processing time zone than UTC")
            .label(place, format!("needs the processing time zone {zone}"))
            .note("without settings of a site the processing time zone is UTC, and the job is refused (E1003)")
            .help(format!(
                "set `oozie.processing.timezone` to `{zone}` in `hpdl-site.xml` of the state folder, or in the file that HPDL_SITE names"
            ))
    }
}
