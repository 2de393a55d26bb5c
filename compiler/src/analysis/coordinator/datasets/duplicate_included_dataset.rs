use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(in crate::analysis) static CODE: Code = Code {
    id: "H0708",
    name: "duplicate_included_dataset",
    level: Level::Error,
    oozie: &["E0803"],
    explanation: include_str!("duplicate_included_dataset.md"),
};

/// Two included files define a dataset of the same name.
pub(super) struct DuplicateIncludedDataset {
    pub(super) name: String,
    pub(super) first: Span,
    pub(super) second: Span,
}

impl IntoDiagnostic for DuplicateIncludedDataset {
    fn into_diagnostic(self) -> Diagnostic {
        let DuplicateIncludedDataset {
            name,
            first,
            second,
        } = self;
        Diagnostic::new(&CODE, second, format!("dataset `{name}` is included twice"))
            .label(second, "defined again here")
            .label(first, "first defined here")
            .help("rename one of them, or include one of the files only")
    }
}
