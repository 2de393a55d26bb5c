use crate::{
    diagnostics::{Applicability, Diagnostic, lint, message, nearest},
    source::Spanned,
};

lint!(Warn, unknown_retry_policies);

/// A `retry-policy` that is ignored.
pub(crate) struct UnknownRetryPolicy {
    pub(crate) policy: Spanned<String>,
}

message!(UnknownRetryPolicy, |policy| {
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
});
