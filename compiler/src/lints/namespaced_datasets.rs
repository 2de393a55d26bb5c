use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "namespaced_datasets",
    default_level: LintLevel::Warn,
    oozie: &["E0803"],
    explanation: include_str!("namespaced_datasets.md"),
};

/// An included file whose datasets Oozie does not find.
pub(crate) struct NamespacedDataset {
    /// The first dataset in a namespace.
    pub(crate) place: Span,
    /// The root element of the file.
    pub(crate) root: Span,
}

impl IntoDiagnostic for NamespacedDataset {
    fn into_diagnostic(self) -> Diagnostic {
        let NamespacedDataset { place, root } = self;
        Diagnostic::new(&LINT, place, "Oozie does not find datasets in a namespace")
            .label(place, "has a namespace")
            .label(root, "the included file")
            .help("remove `xmlns` from the file")
    }
}
