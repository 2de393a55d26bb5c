use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "shared_instance_uris",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("shared_instance_uris.md"),
};

/// Instances of a dataset have the same URI.
pub(crate) struct SharedInstanceUri {
    /// The template.
    pub(crate) place: Span,
    pub(crate) frequency: Span,
    /// A variable that would tell them apart.
    pub(crate) missing: &'static str,
}

impl IntoDiagnostic for SharedInstanceUri {
    fn into_diagnostic(self) -> Diagnostic {
        let SharedInstanceUri {
            place,
            frequency,
            missing,
        } = self;
        Diagnostic::new(
            &LINT,
            place,
            "several instances of the dataset have the same URI",
        )
        .label(place, format!("has no `${{{missing}}}`"))
        .label(frequency, "there are more instances than URIs")
        .note("an instance then seems to be there as soon as another one is")
    }
}
