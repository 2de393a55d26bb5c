use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, shared_instance_uris);

/// Instances of a dataset have the same URI.
pub(crate) struct SharedInstanceUri {
    /// The template.
    pub(crate) place: Span,
    pub(crate) frequency: Span,
    /// A variable that would distinguish them.
    pub(crate) missing: &'static str,
}

message!(SharedInstanceUri, |place, frequency, missing| {
    Diagnostic::new(
        &LINT,
        place,
        "several instances of the dataset have the same URI",
    )
    .label(place, format!("has no `${{{missing}}}`"))
    .label(frequency, "there are more instances than URIs")
    .note("an instance then seems to be there as soon as another one is")
});
