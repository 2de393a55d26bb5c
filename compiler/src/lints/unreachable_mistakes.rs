use crate::diagnostics::{Diagnostic, IntoDiagnostic, lint};

lint!(Warn, unreachable_mistakes);

/// A mistake in a node that the job does not enter, in the words of its own rule.
pub(crate) struct UnreachableMistake {
    pub(crate) mistake: Diagnostic,
    pub(crate) node: String,
    pub(crate) why: WhyUnreached,
}

/// Why a node is not entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WhyUnreached {
    /// No transition leads there.
    NoTransition,
    /// A decision does not lead there with the given properties.
    Untaken,
}

impl IntoDiagnostic for UnreachableMistake {
    fn into_diagnostic(self) -> Diagnostic {
        let UnreachableMistake { mistake, node, why } = self;
        let id = mistake.rule.id();
        let note = match why {
            WhyUnreached::NoTransition => {
                format!("nothing reaches node `{node}`, which is left out; elsewhere this is {id}")
            }
            WhyUnreached::Untaken => format!(
                "with these properties the job does not enter node `{node}`; where one does, this is {id}"
            ),
        };
        let mistake = Diagnostic {
            rule: (&LINT).into(),
            ..mistake
        };
        mistake.note(note)
    }
}
