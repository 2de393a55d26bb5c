use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "capped_retries",
    default_level: LintLevel::Warn,
    oozie: &["E0820"],
    explanation: include_str!("capped_retries.md"),
};

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

impl IntoDiagnostic for CappedRetry {
    fn into_diagnostic(self) -> Diagnostic {
        let CappedRetry {
            action,
            max,
            limit,
            place,
        } = self;
        Diagnostic::new(
            &LINT,
            place,
            format!("action `{action}` is retried {limit} times at most, not {max}"),
        )
        .label(place, format!("the limit is {limit}"))
        .help(format!("to allow more, give the job `{LIMIT}={max}`"))
    }
}
