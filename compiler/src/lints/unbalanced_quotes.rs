use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, unbalanced_quotes);

/// Options with an unclosed quote.
pub(crate) struct UnbalancedQuote {
    pub(crate) quote: char,
    pub(crate) place: Span,
    /// Where the value is defined, if elsewhere.
    pub(crate) origin: Option<Span>,
}

message!(UnbalancedQuote, |quote, place, origin| {
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
});
