use hpdlc_core::time::DateExtension;

use crate::{
    diagnostics::{Applicability, Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "extended_dates",
    default_level: LintLevel::Warn,
    oozie: &["E1003"],
    explanation: include_str!("extended_dates.md"),
};

/// A date in a form that we read and Oozie refuses.
pub(crate) struct ExtendedDate {
    pub(crate) place: Span,
    pub(crate) extension: DateExtension,
    /// The same date in Oozie's form.
    pub(crate) written: String,
    /// The place is the date itself, and not where it comes to.
    pub(crate) is_literal: bool,
}

impl IntoDiagnostic for ExtendedDate {
    fn into_diagnostic(self) -> Diagnostic {
        let ExtendedDate {
            place,
            extension,
            written,
            is_literal,
        } = self;
        let label = match extension {
            DateExtension::Hour24 => format!("the end of the day, read as `{written}`"),
            DateExtension::Seconds => format!("has seconds, read as `{written}`"),
        };
        let diagnostic =
            Diagnostic::new(&LINT, place, "a date that Oozie refuses").label(place, label);
        if is_literal {
            diagnostic.suggest(
                place,
                "in the form that Oozie reads",
                written,
                Applicability::MachineApplicable,
            )
        } else {
            diagnostic
        }
    }
}
