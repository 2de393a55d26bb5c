use hpdlc_core::substitute::SubstituteError;

use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(super) static CODE: Code = Code {
    id: "H0514",
    name: "endless_substitution",
    level: Level::Error,
    oozie: &["E0803"],
    explanation: include_str!("endless_substitution.md"),
};

/// How many properties of the chain are labelled.
const MOST: usize = 5;

/// Properties refer to each other without end, or nearly so.
pub(super) struct EndlessSubstitution {
    pub(super) error: SubstituteError,
    /// The first property of the chain that has a place.
    pub(super) place: Span,
    pub(super) others: Vec<Span>,
}

impl IntoDiagnostic for EndlessSubstitution {
    fn into_diagnostic(self) -> Diagnostic {
        let EndlessSubstitution {
            error,
            place,
            others,
        } = self;
        let mut diagnostic = Diagnostic::new(&CODE, place, error.to_string())
            .label(place, "its value refers to other properties");
        let mut labelled = vec![place];
        for other in others {
            if labelled.len() <= MOST && !labelled.contains(&other) {
                labelled.push(other);
                diagnostic = diagnostic.label(other, "and on from here");
            }
        }
        diagnostic
    }
}
