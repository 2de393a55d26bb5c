use crate::{
    diagnostics::{Applicability, Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, empty_text_comparisons);

/// A value that is null if missing is compared with `''`.
pub(crate) struct EmptyTextComparison {
    /// The comparison.
    pub(crate) place: Span,
    /// The compared expression, as written.
    pub(crate) value: String,
    pub(crate) is_negated: bool,
}

message!(EmptyTextComparison, |place, value, is_negated| {
    let (verdict, replacement) = match is_negated {
        false => ("false", format!("empty {value}")),
        true => ("true", format!("not empty {value}")),
    };
    Diagnostic::new(
        &LINT,
        place,
        format!("`{value}` is null where it is missing, not the empty text"),
    )
    .label(place, format!("{verdict} where nothing is there"))
    .suggest(
        place,
        "`empty` holds for both",
        replacement,
        Applicability::MaybeIncorrect,
    )
});
