use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0116", document_type, ["E0700", "E0701", "E0803"]);

/// A document type declaration.
pub(super) struct DocumentType {
    /// `<!DOCTYPE`.
    pub(super) span: Span,
}

message!(DocumentType, |span| {
    Diagnostic::new(&CODE, span, "document type declaration")
        .label(span, "neither the compiler nor Oozie reads these")
        .note("its entities could read other files and grow without bound")
        .help("remove the declaration, and write out what its entities stand for")
});
