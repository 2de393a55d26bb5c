use crate::{
    diagnostics::{Applicability, Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "never_true_cases",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("never_true_cases.md"),
};

/// A case that no job takes.
pub(crate) struct NeverTrueCase {
    pub(crate) place: Span,
    pub(crate) target: String,
    /// It says `true` in other letters.
    pub(crate) is_spelling: bool,
    /// Text stands beside an expression.
    pub(crate) has_text_around: bool,
}

impl IntoDiagnostic for NeverTrueCase {
    fn into_diagnostic(self) -> Diagnostic {
        let NeverTrueCase {
            place,
            target,
            is_spelling,
            has_text_around,
        } = self;
        let diagnostic =
            Diagnostic::new(&LINT, place, format!("case for `{target}` is never true")).label(
                place,
                "the text is compared with `true`, and can never be that",
            );
        if is_spelling {
            diagnostic.suggest(
                place,
                "only `true` in lower case counts",
                "true",
                Applicability::MaybeIncorrect,
            )
        } else if has_text_around {
            diagnostic.help("write the whole condition inside of `${` and `}`")
        } else {
            diagnostic
        }
    }
}
