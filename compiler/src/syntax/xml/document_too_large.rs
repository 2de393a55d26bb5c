use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, code},
    source::{FileId, MAX_FILE_SIZE, Span},
    syntax::xml::MAX_PARTS,
};

code!("H0103", document_too_large, ["E0700", "E0701", "E0803"]);

/// The document is larger than any real one.
pub(super) enum DocumentTooLarge {
    /// The file has more bytes than [`MAX_FILE_SIZE`](crate::source::MAX_FILE_SIZE).
    Bytes(FileId),
    /// More elements, attributes and runs of text than [`MAX_PARTS`](super::MAX_PARTS); the first one too many.
    Parts(Span),
}

impl IntoDiagnostic for DocumentTooLarge {
    fn into_diagnostic(self) -> Diagnostic {
        let diagnostic = match self {
            DocumentTooLarge::Bytes(file) => {
                let mebibytes = MAX_FILE_SIZE / (1024 * 1024);
                Diagnostic::for_file(&CODE, file, "the document is too large").note(format!(
                    "the compiler reads documents of up to {mebibytes} MiB"
                ))
            }
            DocumentTooLarge::Parts(span) => Diagnostic::new(
                &CODE,
                span,
                "the document has too many parts",
            )
            .label(span, "the first one too many")
            .note(format!(
                "the compiler reads up to {MAX_PARTS} elements, attributes, and pieces of text"
            )),
        };
        diagnostic.help("split the workflow: a `sub-workflow` action runs another document")
    }
}
