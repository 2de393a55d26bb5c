use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Spanned,
};

pub(crate) static CODE: Code = Code {
    id: "H0218",
    name: "invalid_value",
    level: Level::Error,
    oozie: &["E0701", "E0700"],
    explanation: include_str!("invalid_value.md"),
};

/// A text or an attribute's value that is not of the type that it must be.
pub(crate) struct InvalidValue {
    /// "the `retry-max` attribute".
    pub(crate) subject: String,
    pub(crate) found: Spanned<String>,
    pub(crate) expected: &'static str,
    /// It holds an expression, where the schema takes the text as it is.
    pub(crate) refuses_expressions: bool,
}

impl IntoDiagnostic for InvalidValue {
    fn into_diagnostic(self) -> Diagnostic {
        let InvalidValue {
            subject,
            found,
            expected,
            refuses_expressions,
        } = self;
        let what = match found.value.as_str() {
            "" => "nothing".to_owned(),
            value => format!("`{value}`"),
        };
        let diagnostic = Diagnostic::new(
            &CODE,
            found.span,
            format!("{subject} must be {expected}, and is {what}"),
        )
        .label(found.span, format!("expected {expected}"));
        if refuses_expressions {
            diagnostic.note("the schema checks this value before any expression is evaluated")
        } else {
            diagnostic
        }
    }
}
