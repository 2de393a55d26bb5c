use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, empty_actions);

/// An action that is complete and does nothing.
pub(crate) struct EmptyAction {
    pub(crate) place: Span,
    pub(crate) action: String,
    pub(crate) problem: EmptyActionProblem,
}

pub(crate) enum EmptyActionProblem {
    NoOperation,
    NoText,
    EmptyQuery,
}

message!(EmptyAction, |place, action, problem| {
    let (message, label) = match problem {
        EmptyActionProblem::NoOperation => (
            format!("action `{action}` does nothing"),
            "has no operations",
        ),
        EmptyActionProblem::NoText => (
            format!("action `{action}` sends a mail without a text"),
            "is empty",
        ),
        EmptyActionProblem::EmptyQuery => (
            format!("action `{action}` runs a query without a statement"),
            "is empty",
        ),
    };
    Diagnostic::new(&LINT, place, message).label(place, label)
});
