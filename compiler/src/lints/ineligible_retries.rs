use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "ineligible_retries",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("ineligible_retries.md"),
};

/// The job property that adds to the list of codes.
const CODES: &str = "oozie.service.LiteWorkflowStoreService.user.retry.error.code.ext";

/// An action with `retry-max` whose usual failure is not retried.
pub(crate) struct IneligibleRetry {
    pub(crate) action: String,
    /// Its type.
    pub(crate) kind: String,
    /// What usually fails, as a noun.
    pub(crate) failure: &'static str,
    /// The value of the attribute.
    pub(crate) place: Span,
}

impl IntoDiagnostic for IneligibleRetry {
    fn into_diagnostic(self) -> Diagnostic {
        let IneligibleRetry {
            action,
            kind,
            failure,
            place,
        } = self;
        Diagnostic::new(
            &LINT,
            place,
            format!("`retry-max` of action `{action}` does not cover its usual failure"),
        )
        .label(place, format!("does not apply to {failure}"))
        .note(format!(
            "exit codes of a `{kind}` action are not in the list of codes that are retried"
        ))
        .help(format!(
            "to retry every failure, give the job `{CODES}=ALL`"
        ))
    }
}
