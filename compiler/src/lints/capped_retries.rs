use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, capped_retries);

/// The property that sets the limit.
const LIMIT: &str = "oozie.service.LiteWorkflowStoreService.user.retry.max";

/// A `retry-max` above the limit.
pub(crate) struct CappedRetry {
    pub(crate) action: String,
    pub(crate) max: u64,
    pub(crate) limit: u64,
    /// The value of the attribute.
    pub(crate) place: Span,
}

message!(CappedRetry, |action, max, limit, place| {
    Diagnostic::new(
        &LINT,
        place,
        format!("action `{action}` is retried {limit} times at most, not {max}"),
    )
    .label(place, format!("the limit is {limit}"))
    .help(format!("to allow more, give the job `{LIMIT}={max}`"))
});
