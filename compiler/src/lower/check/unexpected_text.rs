use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(crate) static CODE: Code = Code {
    id: "H0214",
    name: "unexpected_text",
    level: Level::Error,
    oozie: &["E0701"],
    explanation: include_str!("unexpected_text.md"),
};

/// Text in an element that holds none.
pub(crate) struct UnexpectedText {
    pub(crate) parent: String,
    pub(crate) text: Span,
    /// The element holds no other elements either.
    pub(crate) is_empty: bool,
    /// There is nothing to see in it.
    pub(crate) is_blank: bool,
}

impl IntoDiagnostic for UnexpectedText {
    fn into_diagnostic(self) -> Diagnostic {
        let UnexpectedText {
            parent,
            text,
            is_empty,
            is_blank,
        } = self;
        let what = if is_blank { "blanks" } else { "text" };
        let diagnostic = Diagnostic::new(
            &CODE,
            text,
            format!("unexpected {what} in the `{parent}` element"),
        );
        if is_empty {
            diagnostic.label(text, "the element must be empty")
        } else {
            diagnostic.label(text, "only other elements can stand here")
        }
    }
}
