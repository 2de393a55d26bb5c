use crate::{
    diagnostics::{Applicability, Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "empty_text_comparisons",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("empty_text_comparisons.md"),
};

/// What is null when it is missing is compared with `''`.
pub(crate) struct EmptyTextComparison {
    /// The comparison.
    pub(crate) place: Span,
    /// What is compared, as it is written.
    pub(crate) value: String,
    pub(crate) is_negated: bool,
}

impl IntoDiagnostic for EmptyTextComparison {
    fn into_diagnostic(self) -> Diagnostic {
        let EmptyTextComparison {
            place,
            value,
            is_negated,
        } = self;
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
    }
}
