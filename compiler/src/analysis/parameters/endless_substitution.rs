use hpdlc_core::substitute::{MAX_DEPTH, MAX_LENGTH, SubstituteError};

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
        let name = error.chain().first().map_or("", String::as_str);
        let chain: Vec<String> = error
            .chain()
            .iter()
            .map(|name| format!("`{name}`"))
            .collect();
        let (message, help) = match &error {
            SubstituteError::Cycle { .. } => (
                format!("property `{name}` refers to itself"),
                "give one of these properties a value that does not need the others",
            ),
            SubstituteError::TooDeep { .. } => (
                format!("property `{name}` refers to others more than {MAX_DEPTH} levels deep"),
                "write the value of one of these properties out",
            ),
            SubstituteError::TooLong { .. } => (
                format!("the value of property `{name}` would be longer than {MAX_LENGTH} bytes"),
                "shorten the value of one of these properties",
            ),
        };
        let mut diagnostic = Diagnostic::new(&CODE, place, message)
            .label(place, "its value refers to other properties")
            .note(format!("the references are {}", chain.join(" -> ")))
            .help(help);
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
