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
}

impl IntoDiagnostic for CappedControl {
    fn into_diagnostic(self) -> Diagnostic {
        let CappedControl {
            place,
            control,
            value,
            effective,
        } = self;
        Diagnostic::new(&LINT, place, format!("`{control}` {value} is out of range"))
            .label(place, format!("Oozie takes {effective}"))
    }
}
