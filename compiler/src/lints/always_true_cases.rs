use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "always_true_cases",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("always_true_cases.md"),
};

/// A case that is taken in every job.
pub(crate) struct AlwaysTrueCase {
    pub(crate) place: Span,
    pub(crate) target: String,
    /// How many cases follow.
    pub(crate) n_later: usize,
}

impl IntoDiagnostic for AlwaysTrueCase {
    fn into_diagnostic(self) -> Diagnostic {
        let AlwaysTrueCase {
            place,
            target,
            n_later,
        } = self;
        let later = match n_later {
            0 => "the default is never taken".to_owned(),
            1 => "the case after it and the default are never taken".to_owned(),
            _ => format!("the {n_later} cases after it and the default are never taken"),
        };
        Diagnostic::new(&LINT, place, format!("case for `{target}` is always true"))
            .label(place, "does not depend on the job")
            .note(later)
    }
}
