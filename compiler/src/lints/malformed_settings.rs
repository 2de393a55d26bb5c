use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "malformed_settings",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("malformed_settings.md"),
};

/// A property that is read as a number, or as `true` or `false`, and is none.
pub(crate) struct MalformedSetting {
    pub(crate) name: String,
    pub(crate) value: String,
    /// Read as a number.
    pub(crate) is_number: bool,
    pub(crate) place: Span,
    /// Where the value stands, if that is another place.
    pub(crate) origin: Option<Span>,
}

impl IntoDiagnostic for MalformedSetting {
    fn into_diagnostic(self) -> Diagnostic {
        let MalformedSetting {
            name,
            value,
            is_number,
            place,
            origin,
        } = self;
        let diagnostic = Diagnostic::new(&LINT, place, format!("property `{name}` is `{value}`"));
        let diagnostic = if is_number {
            diagnostic.label(place, "read as a whole number, and fails where it is read")
        } else {
            diagnostic.label(
                place,
                "neither `true` nor `false`, so that the default holds",
            )
        };
        match origin {
            Some(origin) => diagnostic.label(origin, "the value is given here"),
            None => diagnostic,
        }
    }
}
