use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "unbalanced_quotes",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("unbalanced_quotes.md"),
};

/// Options in which a quote is opened and not closed.
pub(crate) struct UnbalancedQuote {
    pub(crate) quote: char,
    pub(crate) place: Span,
    /// Where the value stands, if that is another place.
    pub(crate) origin: Option<Span>,
}

impl IntoDiagnostic for UnbalancedQuote {
    fn into_diagnostic(self) -> Diagnostic {
        let UnbalancedQuote {
            quote,
            place,
            origin,
        } = self;
        let diagnostic = Diagnostic::new(
            &LINT,
            place,
            format!("a quote `{quote}` is opened and not closed"),
        )
        .label(place, "a shell takes these options apart, and finds no end");
        match origin {
            Some(origin) => diagnostic.label(origin, "the value is given here"),
            None => diagnostic,
        }
    }
}
