use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(crate) static LINT: Lint = Lint {
    name: "suspicious_properties",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("suspicious_properties.md"),
};

/// A file of properties says something that has no effect, or hardly the one that was meant.
pub(crate) struct SuspiciousProperty {
    pub(crate) span: Span,
    /// What it is, in one phrase.
    pub(crate) message: String,
}

impl IntoDiagnostic for SuspiciousProperty {
    fn into_diagnostic(self) -> Diagnostic {
        Diagnostic::new(&LINT, self.span, self.message).label(self.span, "here")
    }
}
