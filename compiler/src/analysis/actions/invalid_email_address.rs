use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(super) static CODE: Code = Code {
    id: "H0606",
    name: "invalid_email_address",
    level: Level::Error,
    oozie: &["EM004"],
    explanation: include_str!("invalid_email_address.md"),
};

/// A text that no mail server takes for an address.
pub(super) struct InvalidEmailAddress {
    pub(super) address: String,
    pub(super) problem: &'static str,
    pub(super) place: Span,
}

impl IntoDiagnostic for InvalidEmailAddress {
    fn into_diagnostic(self) -> Diagnostic {
        let InvalidEmailAddress {
            address,
            problem,
            place,
        } = self;
        Diagnostic::new(&CODE, place, format!("invalid email address `{address}`"))
            .label(place, problem)
    }
}
