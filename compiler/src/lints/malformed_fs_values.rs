use crate::diagnostics::{Diagnostic, IntoDiagnostic, lint};

lint!(Deny, malformed_fs_values, ["FS001", "FS010", "FS011"]);

/// A value of an operation of `fs` that does not have the required format, in any job, in the words of H0612.
pub(crate) struct MalformedFsValue(pub(crate) Diagnostic);

impl IntoDiagnostic for MalformedFsValue {
    fn into_diagnostic(self) -> Diagnostic {
        Diagnostic {
            rule: (&LINT).into(),
            ..self.0
        }
    }
}
