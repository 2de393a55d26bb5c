use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(super) static CODE: Code = Code {
    id: "H0413",
    name: "function_at_submission",
    level: Level::Error,
    oozie: &["E0803", "E0703"],
    explanation: include_str!("function_at_submission.md"),
};

/// A text that is evaluated before there is a job calls a function.
pub(super) struct FunctionAtSubmission {
    /// With its prefix.
    pub(super) name: String,
    pub(super) place: Span,
}

impl IntoDiagnostic for FunctionAtSubmission {
    fn into_diagnostic(self) -> Diagnostic {
        let FunctionAtSubmission { name, place } = self;
        Diagnostic::new(
            &CODE,
            place,
            format!("function `{name}` cannot be called here"),
        )
        .label(place, "evaluated at submission, without functions")
        .help("read a job property instead, such as `${name}`")
    }
}
