use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Spanned,
};

code!("H0218", invalid_value, ["E0701", "E0700"]);

/// A text or an attribute's value that is not of the type that it must be.
pub(crate) struct InvalidValue {
    /// "the `retry-max` attribute".
    pub(crate) subject: String,
    pub(crate) found: Spanned<String>,
    pub(crate) expected: &'static str,
    /// It holds an expression, where the schema takes the text as it is.
    pub(crate) refuses_expressions: bool,
}

message!(InvalidValue, |subject,
                        found,
                        expected,
                        refuses_expressions| {
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
});
