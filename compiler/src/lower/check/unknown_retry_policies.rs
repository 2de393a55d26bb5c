use crate::{
    diagnostics::{Applicability, Diagnostic, IntoDiagnostic, Lint, LintLevel, nearest},
    source::Spanned,
};

pub(crate) static LINT: Lint = Lint {
    name: "unknown_retry_policies",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("unknown_retry_policies.md"),
};

/// A `retry-policy` that is passed over.
pub(crate) struct UnknownRetryPolicy {
    pub(crate) policy: Spanned<String>,
}

impl IntoDiagnostic for UnknownRetryPolicy {
    fn into_diagnostic(self) -> Diagnostic {
        let UnknownRetryPolicy { policy } = self;
        let diagnostic = Diagnostic::new(
            &LINT,
            policy.span,
            format!("unknown retry policy `{}`", policy.value),
        )
        .label(policy.span, "passed over: the default policy is used");
        match nearest(&policy.value, ["periodic", "exponential"]) {
            Some(similar) => diagnostic.suggest(
                policy.span,
                "there is a policy with a similar name",
                similar,
                Applicability::MaybeIncorrect,
            ),
            None => diagnostic.note("the policies are `periodic` and `exponential`"),
        }
    }
}
