use crate::{
    diagnostics::{Diagnostic, code, message},
    source::FileId,
};

code!("H0105", empty_document, ["E0700", "E0701", "E0803"]);

/// The document has no element.
pub(super) struct EmptyDocument {
    pub(super) file: FileId,
}

message!(EmptyDocument, |file| {
    Diagnostic::for_file(&CODE, file, "the document has no element")
        .help("a document starts with `workflow-app`, `coordinator-app`, or `bundle-app`")
});
