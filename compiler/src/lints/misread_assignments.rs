use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, misread_assignments);

/// A `NAME=VALUE` whose name has more in it than was probably meant.
pub(crate) struct MisreadAssignment {
    pub(crate) element: &'static str,
    pub(crate) name: String,
    pub(crate) place: Span,
    /// The name that was probably meant.
    pub(crate) meant: String,
}

message!(MisreadAssignment, |element, name, place, meant| {
    Diagnostic::new(
        &LINT,
        place,
        format!("the name in a `{element}` is `{name}`"),
    )
    .label(place, format!("`{meant}` gets no value from here"))
    .help_xml(format!(
        "write `{meant}=...`, without anything before or behind the name"
    ))
});
