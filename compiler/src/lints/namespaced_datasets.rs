use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, namespaced_datasets, ["E0803"]);

/// An included file whose datasets Oozie does not find.
pub(crate) struct NamespacedDataset {
    /// The first dataset in a namespace.
    pub(crate) place: Span,
    /// The root element of the file.
    pub(crate) root: Span,
}

message!(NamespacedDataset, |place, root| {
    Diagnostic::new(&LINT, place, "Oozie does not find datasets in a namespace")
        .label(place, "has a namespace")
        .label(root, "the included file")
        .help_xml("remove `xmlns` from the file")
});
