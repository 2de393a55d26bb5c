use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0603", malformed_assignment, ["JA010", "JA018"]);

/// A text that should be `NAME=VALUE`.
pub(super) struct MalformedAssignment {
    pub(super) element: &'static str,
    pub(super) text: String,
    /// `NAME=`
    pub(super) is_without_value: bool,
    pub(super) place: Span,
}

message!(MalformedAssignment, |element,
                               text,
                               is_without_value,
                               place| {
    let label = if is_without_value {
        "a value is missing behind the `=`"
    } else if text.starts_with('=') {
        "a name is missing before the `=`"
    } else {
        "expected `NAME=VALUE`"
    };
    let diagnostic = Diagnostic::new(
        &CODE,
        place,
        format!("`{element}` is no assignment: `{text}`"),
    )
    .label(place, label);
    if is_without_value {
        diagnostic.help_xml("leave the element out: a variable that is not set reads as empty")
    } else {
        diagnostic
    }
});
