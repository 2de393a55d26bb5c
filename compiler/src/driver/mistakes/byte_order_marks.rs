use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Allow, byte_order_marks, ["E0701"]);

/// A document that begins with a byte order mark.
pub(crate) struct ByteOrderMark {
    pub(crate) place: Span,
}

message!(ByteOrderMark, |place| {
    Diagnostic::new(&LINT, place, "a byte order mark that Oozie refuses")
        .label(place, "the file begins with one")
        .note("Oozie takes it for text before the document")
        .help("save the file as UTF-8 without a byte order mark")
});
