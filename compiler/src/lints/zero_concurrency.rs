use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, zero_concurrency);

/// A coordinator that never starts an action.
pub(crate) struct ZeroConcurrency {
    pub(crate) place: Span,
}

message!(ZeroConcurrency, |place| {
    Diagnostic::new(
        &LINT,
        place,
        "with a `concurrency` of 0 no action ever starts",
    )
    .label(place, "no action may run")
    .help("a negative number sets no limit; 1 is the default")
});
