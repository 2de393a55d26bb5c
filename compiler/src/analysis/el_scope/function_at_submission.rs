use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0413", function_at_submission, ["E0803", "E0703", "E1004"]);

/// A text that is evaluated with job properties alone calls a function.
pub(super) struct FunctionAtSubmission {
    /// With its prefix.
    pub(super) name: String,
    pub(super) place: Span,
    /// It is in a `credential`, which is read when an action starts.
    pub(super) is_of_credential: bool,
}

message!(FunctionAtSubmission, |name, place, is_of_credential| {
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
});
