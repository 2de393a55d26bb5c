use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "engine_differences",
    default_level: LintLevel::Warn,
    oozie: &["EL_ERROR"],
    explanation: include_str!("engine_differences.md"),
};

/// A text that the expression engine of Oozie 5.2 gives another result for.
pub(crate) struct EngineDifference {
    pub(crate) place: Span,
    /// The result here and in Oozie up to 5.1, and that in Oozie 5.2. Each completes "this is".
    pub(crate) here: String,
    pub(crate) there: String,
    pub(crate) help: &'static str,
}

impl IntoDiagnostic for EngineDifference {
    fn into_diagnostic(self) -> Diagnostic {
        let EngineDifference {
            place,
            here,
            there,
            help,
        } = self;
        Diagnostic::new(
            &LINT,
            place,
            format!("this is {here}, and was {there} in Oozie 5.2"),
        )
        .label(place, "the engines of Oozie differ here")
        .note(
            "Oozie up to 5.1 evaluates expressions by commons-el, and 5.2 by the engine of Tomcat",
        )
        .help(help)
    }
}
