use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, duplicate_datasets);

/// A dataset with a name that the coordinator has used already.
pub(crate) struct DuplicateDataset {
    pub(crate) name: String,
    pub(crate) first: Span,
    pub(crate) second: Span,
}

message!(DuplicateDataset, |name, first, second| {
    Diagnostic::new(&LINT, second, format!("dataset `{name}` is defined twice"))
        .label(second, "this one counts")
        .label(first, "never used")
});
