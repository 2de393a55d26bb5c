use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0107", second_root, ["E0700", "E0701", "E0803"]);

/// A second element beside the root.
pub(super) struct SecondRoot<'a> {
    pub(super) name: &'a str,
    pub(super) span: Span,
    /// The name of the first root element.
    pub(super) first: Span,
}

message!(SecondRoot<'_>, |name, span, first| {
    Diagnostic::new(&CODE, span, format!("second root element `{name}`"))
        .label(span, "the document has ended before this element")
        .label(first, "the root element")
        .help("move the element into the root element, or into a file of its own")
});
