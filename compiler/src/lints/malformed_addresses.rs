use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, malformed_addresses);

/// An address with an invalid port, or without its scheme.
pub(crate) struct MalformedAddress {
    pub(crate) address: String,
    pub(crate) problem: AddressProblem,
    pub(crate) place: Span,
    /// Where the value is defined, if elsewhere.
    pub(crate) origin: Option<Span>,
}

pub(crate) enum AddressProblem {
    /// The port is invalid.
    Port(String),
    /// A `name-node` without a file system scheme.
    NoScheme,
    /// A `jdbc-url` that no driver of beeline takes.
    FirstHiveServer,
}

message!(MalformedAddress, |address, problem, place, origin| {
    let (headline, label) = match problem {
        AddressProblem::Port(port) if port.is_empty() => (
            format!("the port of `{address}` is missing"),
            "expected a number from 1 to 65535 behind the host",
        ),
        AddressProblem::Port(port) => (
            format!("`{port}` is no port"),
            "expected a number from 1 to 65535 behind the host",
        ),
        AddressProblem::FirstHiveServer => (
            format!("`{address}` is no address of HiveServer2"),
            "expected a URL that begins with `jdbc:hive2://`",
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
});
