use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, ineligible_retries);

/// The job property that extends the list of codes.
const CODES: &str = "oozie.service.LiteWorkflowStoreService.user.retry.error.code.ext";

/// What usually fails.
pub(crate) enum UsualFailure {
    /// A program, with its noun: its exit code is the error code.
    Exit(&'static str),
    /// The child of a sub-workflow: Oozie sets no error code in this case.
    Child,
}

/// An action with `retry-max` whose usual failure is not retried.
pub(crate) struct IneligibleRetry {
    pub(crate) action: String,
    /// Its type.
    pub(crate) kind: String,
    pub(crate) failure: UsualFailure,
    /// The value of the attribute.
    pub(crate) place: Span,
}

message!(IneligibleRetry, |action, kind, failure, place| {
    let (noun, reason) = match failure {
        UsualFailure::Exit(noun) => (
            noun,
            format!(
                "exit codes of a `{kind}` action are not in the list of codes that are retried"
            ),
        ),
        UsualFailure::Child => (
            "a child that fails",
            format!(
                "a `{kind}` action whose child fails has no error code, and the list of what is retried has only codes"
            ),
        ),
    };
    Diagnostic::new(
        &LINT,
        place,
        format!("`retry-max` of action `{action}` does not cover its usual failure"),
    )
    .label(place, format!("does not apply to {noun}"))
    .note(reason)
    .help(format!(
        "to retry every failure, give the job `{CODES}=ALL`"
    ))
});
