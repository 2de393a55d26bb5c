use crate::{
    diagnostics::{Applicability, Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, text_order_comparisons);

/// An ordering comparison of a text with a number in quotes.
pub(crate) struct TextOrderComparison {
    /// The comparison.
    pub(crate) place: Span,
    pub(crate) number: String,
    /// The number with its quotes.
    pub(crate) quoted: Span,
}

message!(TextOrderComparison, |place, number, quoted| {
    Diagnostic::new(&LINT, place, "numbers are compared as texts")
        .label(quoted, "a text, because of its quotes")
        .note("texts are ordered letter by letter: `'10'` comes before `'9'`")
        .suggest(
            quoted,
            "without quotes both sides are read as numbers",
            number,
            Applicability::MaybeIncorrect,
        )
});
