use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
    syntax::xml::OOZIE_CODES,
};

pub(super) static CODE: Code = Code {
    id: "H0116",
    name: "document_type",
    level: Level::Error,
    oozie: OOZIE_CODES,
    explanation: include_str!("document_type.md"),
};

/// A document type declaration.
pub(super) struct DocumentType {
    /// `<!DOCTYPE`.
    pub(super) span: Span,
}

impl IntoDiagnostic for DocumentType {
    fn into_diagnostic(self) -> Diagnostic {
        let DocumentType { span } = self;
        Diagnostic::new(&CODE, span, "document type declaration")
            .label(span, "neither the compiler nor Oozie reads these")
            .note("its entities could read other files and grow without bound")
            .help("remove the declaration, and write out what its entities stand for")
    }
}
