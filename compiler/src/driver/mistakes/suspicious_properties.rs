use crate::diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel, Place};

pub(crate) static LINT: Lint = Lint {
    name: "suspicious_properties",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("suspicious_properties.md"),
};

/// A property that is given has no effect, or hardly the one that was meant.
pub(crate) struct SuspiciousProperty {
    pub(crate) place: Place,
    /// What it is, in one phrase.
    pub(crate) message: String,
}

impl IntoDiagnostic for SuspiciousProperty {
    fn into_diagnostic(self) -> Diagnostic {
        let SuspiciousProperty { place, message } = self;
        match place {
            Place::Span(span) => Diagnostic::new(&LINT, span, message).label(span, "here"),
            Place::File(file) => Diagnostic::for_file(&LINT, file, message),
            Place::Path(path) => Diagnostic::for_path(&LINT, path, message),
        }
    }
}
