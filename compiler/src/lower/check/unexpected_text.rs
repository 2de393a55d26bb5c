use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0214", unexpected_text, ["E0701"]);

/// Text in an element that may not contain any.
pub(crate) struct UnexpectedText {
    pub(crate) parent: String,
    pub(crate) text: Span,
    /// The element may not contain elements either.
    pub(crate) is_empty: bool,
    /// It consists of blanks only.
    pub(crate) is_blank: bool,
}

message!(UnexpectedText, |parent, text, is_empty, is_blank| {
    let what = if is_blank { "blanks" } else { "text" };
    let diagnostic = Diagnostic::new(
        &CODE,
        text,
        format!("unexpected {what} in the `{parent}` element"),
    );
    if is_empty {
        diagnostic.label(text, "the element must be empty")
    } else {
        diagnostic.label(text, "only other elements are allowed here")
    }
});
