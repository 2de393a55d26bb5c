use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Spanned,
};

code!("H0209", conflicting_elements, ["E0701"]);

/// Two mutually exclusive elements in one parent.
pub(crate) struct ConflictingElements {
    pub(crate) parent: String,
    pub(crate) first: Spanned<String>,
    pub(crate) second: Spanned<String>,
}

message!(ConflictingElements, |parent, first, second| {
    Diagnostic::new(
        &CODE,
        second.span,
        format!(
            "the `{parent}` element has both `{}` and `{}`",
            first.value, second.value
        ),
    )
    .label(second.span, "excludes the other one")
    .label(first.span, "first one here")
    .help("keep one of them")
});
