use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0106", text_outside_root, ["E0700", "E0701", "E0803"]);

/// Text before or after the root element.
pub(super) struct TextOutsideRoot {
    pub(super) span: Span,
    /// The name of the root element, if it has been read.
    pub(super) root: Option<Span>,
}

message!(TextOutsideRoot, |span, root| {
    let diagnostic = Diagnostic::new(&CODE, span, "text outside the root element")
        .label(span, "only comments and white space are allowed here")
        .help("remove the text, or make it a comment");
    match root {
        Some(root) => diagnostic.label(root, "the root element, which has ended"),
        None => diagnostic,
    }
});
