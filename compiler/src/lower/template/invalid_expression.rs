use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(crate) static CODE: Code = Code {
    id: "H0401",
    name: "invalid_expression",
    level: Level::Error,
    oozie: &["EL_ERROR"],
    explanation: include_str!("invalid_expression.md"),
};

/// A `${…}` that is not of the expression language.
pub(crate) struct InvalidExpression {
    pub(crate) place: Span,
    /// Where the expression starts, if that is in a line before.
    pub(crate) open: Option<Span>,
    /// The parser's words.
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

impl IntoDiagnostic for InvalidExpression {
    fn into_diagnostic(self) -> Diagnostic {
        let InvalidExpression {
            place,
            open,
            message,
            help,
        } = self;
        let expected = message
            .rsplit_once(", found ")
            .map_or("here", |(expected, _)| expected)
            .to_owned();
        let mut diagnostic =
            Diagnostic::new(&CODE, place, format!("invalid expression: {message}"))
                .label(place, expected);
        if let Some(open) = open {
            diagnostic = diagnostic.label(open, "this expression is still open");
        }
        match help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }
}
