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

/// An address with a port that there cannot be, or without its scheme.
pub(crate) struct MalformedAddress {
    pub(crate) address: String,
    pub(crate) problem: AddressProblem,
    pub(crate) place: Span,
    /// Where the value stands, if that is another place.
    pub(crate) origin: Option<Span>,
}

pub(crate) enum AddressProblem {
    /// What stands for the port is none.
    Port(String),
    /// A `name-node` names no kind of file system.
    NoScheme,
}

impl IntoDiagnostic for MalformedAddress {
    fn into_diagnostic(self) -> Diagnostic {
        let MalformedAddress {
            address,
            problem,
            place,
            origin,
        } = self;
        let (headline, label) = match problem {
            AddressProblem::Port(port) if port.is_empty() => (
                format!("the port of `{address}` is missing"),
                "expected a number from 1 to 65535 behind the host",
            ),
            AddressProblem::Port(port) => (
                format!("`{port}` is no port"),
                "expected a number from 1 to 65535 behind the host",
            ),
            AddressProblem::NoScheme => (
                format!("the address `{address}` of a file system has no scheme"),
                "expected a URI, such as `hdfs://master:8020` or `file:///`",
            ),
        };
        let diagnostic = Diagnostic::new(&LINT, place, headline).label(place, label);
        match origin {
            Some(origin) => diagnostic.label(origin, "the value is given here"),
            None => diagnostic,
        }
    }
}
