use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
    syntax::xml::OOZIE_CODES,
};

pub(super) static CODE: Code = Code {
    id: "H0106",
    name: "text_outside_root",
    level: Level::Error,
    oozie: OOZIE_CODES,
    explanation: include_str!("text_outside_root.md"),
};

/// Text before or after the root element.
pub(super) struct TextOutsideRoot {
    pub(super) span: Span,
    /// The name of the root element, if it has been read.
    pub(super) root: Option<Span>,
}

impl IntoDiagnostic for TextOutsideRoot {
    fn into_diagnostic(self) -> Diagnostic {
        let TextOutsideRoot { span, root } = self;
        let diagnostic = Diagnostic::new(&CODE, span, "text outside the root element")
            .label(span, "only comments and blanks may stand here")
            .help("remove the text, or make it a comment");
        match root {
            Some(root) => diagnostic.label(root, "the root element, which has ended"),
            None => diagnostic,
        }
    }
}
