use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, unused_parameters);

/// A declared parameter that nothing reads.
pub(crate) struct UnusedParameter {
    pub(crate) name: String,
    pub(crate) place: Span,
}

message!(UnusedParameter, |name, place| {
    Diagnostic::new(&LINT, place, format!("parameter `{name}` is never read"))
        .label(place, "declared here, and nothing reads it")
});
