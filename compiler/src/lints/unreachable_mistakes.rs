use crate::diagnostics::{Diagnostic, IntoDiagnostic, lint};

lint!(Warn, unreachable_mistakes);

/// A mistake in a node that nothing reaches, in the words of its own rule.
pub(crate) struct UnreachableMistake {
    pub(crate) mistake: Diagnostic,
    pub(crate) node: String,
}

impl IntoDiagnostic for UnreachableMistake {
    fn into_diagnostic(self) -> Diagnostic {
        let Diagnostic { rule, .. } = self.mistake;
        let mistake = Diagnostic {
            rule: (&LINT).into(),
            ..self.mistake
        };
        mistake.note(format!(
            "nothing reaches node `{}`, which is left out; elsewhere this is {}",
            self.node,
            rule.id()
        ))
    }
}
