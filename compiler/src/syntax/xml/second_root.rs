use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
    syntax::xml::OOZIE_CODES,
};

pub(super) static CODE: Code = Code {
    id: "H0107",
    name: "second_root",
    level: Level::Error,
    oozie: OOZIE_CODES,
    explanation: include_str!("second_root.md"),
};

/// A second element beside the root.
pub(super) struct SecondRoot<'a> {
    pub(super) name: &'a str,
    pub(super) span: Span,
    /// The name of the first root element.
    pub(super) first: Span,
}

impl IntoDiagnostic for SecondRoot<'_> {
    fn into_diagnostic(self) -> Diagnostic {
        let SecondRoot { name, span, first } = self;
        Diagnostic::new(&CODE, span, format!("second root element `{name}`"))
            .label(span, "the document has ended before this element")
            .label(first, "the root element")
            .help("move the element into the root element, or into a file of its own")
    }
}
