use hpdlc_core::visible;

use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Deny, empty_path_parts);

/// A part of an action's path is an expression with an empty value.
pub(crate) struct EmptyPathPart {
    /// The expression.
    pub(crate) place: Span,
    /// The same, as text.
    pub(crate) part: String,
    /// The value of the property that it consists of, if a property in that value is empty.
    pub(crate) value: Option<String>,
    /// Where its value is defined, if elsewhere.
    pub(crate) origin: Option<Span>,
}

message!(EmptyPathPart, |place, part, value, origin| {
    let what = match value {
        None => "is empty".to_owned(),
        Some(value) => format!(
            "has the value `{}`, in which a property is empty",
            visible::line(&value)
        ),
    };
    let diagnostic = Diagnostic::new(&LINT, place, "a part of a path is empty").label(
        place,
        format!("`{part}` {what}, so that the path means another place"),
    );
    let diagnostic = match origin {
        Some(origin) => diagnostic.label(origin, "the value is given here"),
        None => diagnostic,
    };
    diagnostic
        .note("the action ends in ERROR before it does anything (HPDL_EMPTY_PATH_PART)")
        .help(format!(
            "give it a value; the property {}=allow lets such operations be done",
            hpdlc_core::empty_parts::SETTING
        ))
});
