use crate::{
    diagnostics::{Applicability, Diagnostic, code, message},
    source::{Span, Spanned},
};

code!("H0217", missing_attribute, ["E0701"]);

/// An element lacks a required attribute.
pub(crate) struct MissingAttribute {
    pub(crate) parent: Spanned<String>,
    pub(crate) name: &'static str,
    /// After the last attribute.
    pub(crate) insertion: Span,
}

message!(MissingAttribute, |parent, name, insertion| {
    Diagnostic::new(
        &CODE,
        parent.span,
        format!(
            "missing `{name}` attribute on the `{}` element",
            parent.value
        ),
    )
    .label(parent.span, format!("needs `{name}`"))
    .suggest(
        insertion,
        "it can be inserted here",
        format!(" {name}=\"…\""),
        Applicability::HasPlaceholders,
    )
});
