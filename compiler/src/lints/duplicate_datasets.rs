use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "duplicate_datasets",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("duplicate_datasets.md"),
};

/// A dataset of a name that the coordinator has used already.
pub(crate) struct DuplicateDataset {
    pub(crate) name: String,
    pub(crate) first: Span,
    pub(crate) second: Span,
}

impl IntoDiagnostic for DuplicateDataset {
    fn into_diagnostic(self) -> Diagnostic {
        let DuplicateDataset {
            name,
            first,
            second,
        } = self;
        Diagnostic::new(&LINT, second, format!("dataset `{name}` is defined twice"))
            .label(second, "this one counts")
            .label(first, "never used")
    }
}
