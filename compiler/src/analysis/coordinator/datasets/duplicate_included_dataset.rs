use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0708", duplicate_included_dataset, ["E0803"]);

/// Two included files define a dataset with the same name.
pub(super) struct DuplicateIncludedDataset {
    pub(super) name: String,
    pub(super) first: Span,
    pub(super) second: Span,
}

message!(DuplicateIncludedDataset, |name, first, second| {
    Diagnostic::new(&CODE, second, format!("dataset `{name}` is included twice"))
        .label(second, "defined again here")
        .label(first, "first defined here")
        .help("rename one of them, or include one of the files only")
});
