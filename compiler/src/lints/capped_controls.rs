use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "capped_controls",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("capped_controls.md"),
};

/// A value in `controls` that Oozie replaces by another one.
pub(crate) struct CappedControl {
    pub(crate) place: Span,
    pub(crate) control: &'static str,
    pub(crate) value: String,
    pub(crate) effective: String,
    /// The settings that decide.
    pub(crate) settings: &'static [&'static str],
}

impl IntoDiagnostic for CappedControl {
    fn into_diagnostic(self) -> Diagnostic {
        let CappedControl {
            place,
            control,
            value,
            effective,
            settings,
        } = self;
        let settings = match settings {
            [only] => format!("the setting `{only}` decides"),
            several => format!(
                "the product of the settings `{}` decides",
                several.join("` and `")
            ),
        };
        Diagnostic::new(&LINT, place, format!("`{control}` {value} is out of range"))
            .label(place, format!("Oozie takes {effective}"))
            .note(settings)
    }
}
