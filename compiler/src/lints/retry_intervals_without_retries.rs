use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, retry_intervals_without_retries);

/// A `retry-interval` or a `retry-policy` without a `retry-max`.
pub(crate) struct RetryIntervalWithoutRetries {
    pub(crate) action: String,
    pub(crate) attribute: &'static str,
    pub(crate) place: Span,
}

message!(RetryIntervalWithoutRetries, |action, attribute, place| {
    Diagnostic::new(
        &LINT,
        place,
        format!("action `{action}` has a `{attribute}` and no `retry-max`"),
    )
    .label(place, "nothing is retried: `retry-max` is 0 by default")
    .help_xml("add a `retry-max`, or remove this")
});
