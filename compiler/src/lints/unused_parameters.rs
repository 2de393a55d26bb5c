use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "unused_parameters",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("unused_parameters.md"),
};

/// A declared parameter that nothing reads.
pub(crate) struct UnusedParameter {
    pub(crate) name: String,
    pub(crate) place: Span,
}

impl IntoDiagnostic for UnusedParameter {
    fn into_diagnostic(self) -> Diagnostic {
        let UnusedParameter { name, place } = self;
        Diagnostic::new(&LINT, place, format!("parameter `{name}` is never read"))
            .label(place, "declared here, and nothing reads it")
    }
}
