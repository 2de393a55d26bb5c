use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "zero_concurrency",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("zero_concurrency.md"),
};

/// A coordinator that never starts an action.
pub(crate) struct ZeroConcurrency {
    pub(crate) place: Span,
}

impl IntoDiagnostic for ZeroConcurrency {
    fn into_diagnostic(self) -> Diagnostic {
        let ZeroConcurrency { place } = self;
        Diagnostic::new(
            &LINT,
            place,
            "with a `concurrency` of 0 no action ever starts",
        )
        .label(place, "no action may run")
        .help("a negative number sets no limit; 1 is the default")
    }
}
