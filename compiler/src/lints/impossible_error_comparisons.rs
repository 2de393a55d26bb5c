use crate::{
    diagnostics::{Applicability, Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, impossible_error_comparisons);

/// An error is compared with an impossible code, or with a node that never ends in error.
pub(crate) struct ImpossibleErrorComparison {
    pub(crate) compared: String,
    /// The compared text, with its quotes.
    pub(crate) place: Span,
    /// The node that it is about.
    pub(crate) node: Option<Span>,
    pub(crate) why: String,
    pub(crate) similar: Option<String>,
}

message!(
    ImpossibleErrorComparison,
    |compared, place, node, why, similar| {
        let diagnostic = Diagnostic::new(&LINT, place, format!("the error is never `{compared}`"))
            .label(place, "the comparison has the same outcome in every job")
            .note(why);
        let diagnostic = match node {
            Some(node) => diagnostic.label(node, "the node that it is about"),
            None => diagnostic,
        };
        match similar {
            Some(similar) => diagnostic.suggest(
                place,
                format!("there is `{similar}`"),
                format!("'{similar}'"),
                Applicability::MaybeIncorrect,
            ),
            None => diagnostic,
        }
    }
);
