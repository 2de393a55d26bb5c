use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::FileId,
    syntax::xml::OOZIE_CODES,
};

pub(super) static CODE: Code = Code {
    id: "H0105",
    name: "empty_document",
    level: Level::Error,
    oozie: OOZIE_CODES,
    explanation: include_str!("empty_document.md"),
};

/// The document has no element.
pub(super) struct EmptyDocument {
    pub(super) file: FileId,
}

impl IntoDiagnostic for EmptyDocument {
    fn into_diagnostic(self) -> Diagnostic {
        let EmptyDocument { file } = self;
        Diagnostic::for_file(&CODE, file, "the document has no element")
            .help("a document starts with `workflow-app`, `coordinator-app`, or `bundle-app`")
    }
}
