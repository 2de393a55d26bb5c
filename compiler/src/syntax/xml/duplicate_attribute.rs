use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0113", duplicate_attribute, ["E0700", "E0701", "E0803"]);

/// An attribute that occurs twice in a tag.
pub(super) struct DuplicateAttribute {
    pub(super) name: String,
    /// The name of the second one.
    pub(super) span: Span,
    /// The name of the first one.
    pub(super) first: Span,
}

message!(DuplicateAttribute, |name, span, first| {
    Diagnostic::new(&CODE, span, format!("duplicate attribute `{name}`"))
        .label(span, "given again here")
        .label(first, "first given here")
        .help("remove one of the two")
});
