use crate::{
    diagnostics::{Applicability, Diagnostic, code, message},
    lower::schema::Versions,
    source::{Span, Spanned},
};

code!("H0208", repeated_element, ["E0701"]);

/// An element that may occur once in its parent occurs again.
pub(crate) struct RepeatedElement {
    pub(crate) parent: String,
    pub(crate) first: Span,
    pub(crate) second: Spanned<String>,
    /// The second one with its content.
    pub(crate) whole: Span,
    /// The versions that would allow it.
    pub(crate) repeated: Versions,
    pub(crate) prefix: &'static str,
}

message!(RepeatedElement, |parent,
                           first,
                           second,
                           whole,
                           repeated,
                           prefix| {
    let diagnostic = Diagnostic::new(
        &CODE,
        second.span,
        format!(
            "repeated `{}` element in the `{parent}` element",
            second.value
        ),
    )
    .label(second.span, "may appear here only once")
    .label(first, "first written here");
    if repeated == Versions::NONE {
        diagnostic.suggest(
            whole,
            "one of them can go",
            "",
            Applicability::MaybeIncorrect,
        )
    } else {
        diagnostic.note(format!("it may be repeated {}", repeated.describe(prefix)))
    }
});
