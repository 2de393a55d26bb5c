use crate::{
    diagnostics::{Applicability, Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "impossible_error_comparisons",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("impossible_error_comparisons.md"),
};

/// An error is compared with a code that there cannot be, or a node that never has one.
pub(crate) struct ImpossibleErrorComparison {
    pub(crate) compared: String,
    /// The compared text, with its quotes.
    pub(crate) place: Span,
    /// The node that it is about.
    pub(crate) node: Option<Span>,
    pub(crate) why: String,
    pub(crate) similar: Option<String>,
}

impl IntoDiagnostic for ImpossibleErrorComparison {
    fn into_diagnostic(self) -> Diagnostic {
        let ImpossibleErrorComparison {
            compared,
            place,
            node,
            why,
            similar,
        } = self;
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
}
