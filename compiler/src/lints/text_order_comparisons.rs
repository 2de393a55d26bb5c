use crate::{
    diagnostics::{Applicability, Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "text_order_comparisons",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("text_order_comparisons.md"),
};

/// A text is ordered beside a number in quotes.
pub(crate) struct TextOrderComparison {
    /// The comparison.
    pub(crate) place: Span,
    pub(crate) number: String,
    /// The number with its quotes.
    pub(crate) quoted: Span,
}

impl IntoDiagnostic for TextOrderComparison {
    fn into_diagnostic(self) -> Diagnostic {
        let TextOrderComparison {
            place,
            number,
            quoted,
        } = self;
        Diagnostic::new(&LINT, place, "numbers are compared as texts")
            .label(quoted, "a text, because of its quotes")
            .note("texts are ordered letter by letter: `'10'` stands before `'9'`")
            .suggest(
                quoted,
                "without quotes both sides are read as numbers",
                number,
                Applicability::MaybeIncorrect,
            )
    }
}
