use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "three_letter_timezones",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("three_letter_timezones.md"),
};

/// A time zone by an old name of three letters.
pub(crate) struct ThreeLetterTimezone {
    pub(crate) place: Span,
    pub(crate) name: String,
    /// The place whose rules it follows; none for an offset.
    pub(crate) zone: Option<&'static str>,
}

impl IntoDiagnostic for ThreeLetterTimezone {
    fn into_diagnostic(self) -> Diagnostic {
        let ThreeLetterTimezone { place, name, zone } = self;
        let diagnostic =
            Diagnostic::new(&LINT, place, format!("`{name}` says less than it seems to"));
        match zone {
            Some(zone) => diagnostic
                .label(place, format!("follows the rules of `{zone}`"))
                .help("write the name of the place"),
            None => diagnostic
                .label(place, "an offset that never changes")
                .help("write the name of a place, or the offset, such as `GMT-05:00`"),
        }
    }
}
