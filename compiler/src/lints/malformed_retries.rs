use crate::diagnostics::{Diagnostic, IntoDiagnostic, lint};

lint!(Deny, malformed_retries, ["E0700"]);

/// A `retry-max` or `retry-interval` that is no number, in any job, in the words of H0612.
pub(crate) struct MalformedRetry(pub(crate) Diagnostic);

impl IntoDiagnostic for MalformedRetry {
    fn into_diagnostic(self) -> Diagnostic {
        Diagnostic {
            rule: (&LINT).into(),
            ..self.0
        }
    }
}
