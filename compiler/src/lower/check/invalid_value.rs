use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Spanned,
};

code!("H0218", invalid_value, ["E0701", "E0700", "E0803"]);

/// A text or attribute value that is not of the required type.
pub(crate) struct InvalidValue {
    /// "the `retry-max` attribute".
    pub(crate) subject: String,
    pub(crate) found: Spanned<String>,
    pub(crate) expected: &'static str,
    /// It contains an expression, but the schema requires a literal value.
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
