use super::undefined_property::label_uses;
use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0512", missing_parameter, ["E0738"]);

/// How many uses are labelled.
const MOST: usize = 5;

/// A declared property has no default and no value.
pub(super) struct MissingParameter {
    pub(super) name: String,
    /// The declared name.
    pub(super) place: Span,
    pub(super) uses: Vec<Span>,
    /// A given property with a similar name, and its place in a properties file.
    pub(super) near: Option<(String, Option<Span>)>,
}

message!(MissingParameter, |name, place, uses, near| {
    let mut diagnostic = Diagnostic::new(&CODE, place, format!("parameter `{name}` has no value"))
        .label(place, "declared without a default, and not given");
    diagnostic = label_uses(diagnostic, &uses, MOST);
    if let Some((near, span)) = near {
        diagnostic = match span {
            Some(span) => diagnostic.label(span, "a similar name is given here"),
            None => diagnostic.note(format!("a property with a similar name is given: `{near}`")),
        };
    }
    diagnostic.help(format!(
        "define `{name}` in a properties file given with `-c`, or with `-D {name}=VALUE`"
    ))
});
