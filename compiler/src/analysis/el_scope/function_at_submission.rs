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

/// A text that is evaluated with job properties alone calls a function.
pub(super) struct FunctionAtSubmission {
    /// With its prefix.
    pub(super) name: String,
    pub(super) place: Span,
    /// It stands in a `credential`, which is read when an action starts.
    pub(super) is_of_credential: bool,
}

impl IntoDiagnostic for FunctionAtSubmission {
    fn into_diagnostic(self) -> Diagnostic {
        let FunctionAtSubmission {
            name,
            place,
            is_of_credential,
        } = self;
        let label = if is_of_credential {
            "evaluated with job properties alone, without functions"
        } else {
            "evaluated at submission, without functions"
        };
        Diagnostic::new(
            &CODE,
            place,
            format!("function `{name}` cannot be called here"),
        )
        .label(place, label)
        .help("read a job property instead, such as `${name}`")
    }
}
