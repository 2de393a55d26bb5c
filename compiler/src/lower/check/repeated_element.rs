use crate::{
    diagnostics::{Applicability, Code, Diagnostic, IntoDiagnostic, Level},
    lower::schema::Versions,
    source::{Span, Spanned},
};

pub(crate) static CODE: Code = Code {
    id: "H0208",
    name: "repeated_element",
    level: Level::Error,
    oozie: &["E0701"],
    explanation: include_str!("repeated_element.md"),
};

/// An element that may stand once in its parent stands there again.
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

impl IntoDiagnostic for RepeatedElement {
    fn into_diagnostic(self) -> Diagnostic {
        let RepeatedElement {
            parent,
            first,
            second,
            whole,
            repeated,
            prefix,
        } = self;
        let diagnostic = Diagnostic::new(
            &CODE,
            second.span,
            format!(
                "repeated `{}` element in the `{parent}` element",
                second.value
            ),
        )
        .label(second.span, "may stand here only once")
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
    }
}
