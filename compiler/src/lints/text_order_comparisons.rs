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

/// Two texts that are ordered letter by letter.
pub(crate) struct OrderedTexts {
    /// The comparison.
    pub(crate) place: Span,
    pub(crate) left: Span,
    /// The left side as it is written.
    pub(crate) source: String,
}

message!(OrderedTexts, |place, left, source| {
    Diagnostic::new(&LINT, place, "two texts are ordered letter by letter")
        .label(
            place,
            "properties and data are texts: `'10'` comes before `'9'`",
        )
        .suggest(
            left,
            "with `+ 0` it is a number, and both sides are compared as numbers",
            format!("{source} + 0"),
            Applicability::MaybeIncorrect,
        )
});
