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
    /// The parser's words.
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

impl IntoDiagnostic for InvalidExpression {
    fn into_diagnostic(self) -> Diagnostic {
        let InvalidExpression {
            place,
            message,
            help,
        } = self;
        let expected = message
            .rsplit_once(", found ")
            .map_or("here", |(expected, _)| expected)
            .to_owned();
        let diagnostic = Diagnostic::new(&CODE, place, format!("invalid expression: {message}"))
            .label(place, expected);
        match help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }
}
