use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!(
    "H0401",
    invalid_expression,
    ["EL_ERROR", "E0703", "E0803", "E1004"]
);

/// A syntax error in `${…}`.
pub(crate) struct InvalidExpression {
    pub(crate) place: Span,
    /// Where the expression starts, if that is on an earlier line.
    pub(crate) open: Option<Span>,
    /// The parser's message.
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

message!(InvalidExpression, |place, open, message, help| {
    let expected = message
        .rsplit_once(", found ")
        .map_or("here", |(expected, _)| expected)
        .to_owned();
    let mut diagnostic = Diagnostic::new(&CODE, place, format!("invalid expression: {message}"))
        .label(place, expected);
    if let Some(open) = open {
        diagnostic = diagnostic.label(open, "this expression is still open");
    }
    match help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
});
