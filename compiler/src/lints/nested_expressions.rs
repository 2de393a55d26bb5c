use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, nested_expressions);

/// An expression in a text of an expression, which stays text.
pub(crate) struct NestedExpression {
    /// The text, with its quotes.
    pub(crate) place: Span,
    pub(crate) inner: String,
    /// What stands between the braces, if that is all of the text.
    pub(crate) whole: Option<String>,
}

message!(NestedExpression, |place, inner, whole| {
    let help = match whole {
        Some(whole) => format!("write `{whole}` without quotes and braces"),
        None => "join texts by `concat('...', name)`, or write several expressions".to_owned(),
    };
    Diagnostic::new(
        &LINT,
        place,
        format!("`{inner}` in quotes is no expression"),
    )
    .label(place, "stays as it is written: expressions do not nest")
    .help(help)
});
