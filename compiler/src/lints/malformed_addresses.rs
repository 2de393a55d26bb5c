use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "malformed_addresses",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("malformed_addresses.md"),
};

/// An address with a port that there cannot be.
pub(crate) struct MalformedAddress {
    pub(crate) address: String,
    /// What stands for the port.
    pub(crate) port: String,
    pub(crate) place: Span,
    /// Where the value stands, if that is another place.
    pub(crate) origin: Option<Span>,
}

impl IntoDiagnostic for MalformedAddress {
    fn into_diagnostic(self) -> Diagnostic {
        let MalformedAddress {
            address,
            port,
            place,
            origin,
        } = self;
        let headline = if port.is_empty() {
            format!("the port of `{address}` is missing")
        } else {
            format!("`{port}` is no port")
        };
        let diagnostic = Diagnostic::new(&LINT, place, headline)
            .label(place, "expected a number from 1 to 65535 behind the host");
        match origin {
            Some(origin) => diagnostic.label(origin, "the value is given here"),
            None => diagnostic,
        }
    }
}
