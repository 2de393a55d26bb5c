use crate::{
    diagnostics::{Applicability, Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, unbraced_properties);

/// The name of a property in a path, as `$name` or `{name}`.
pub(crate) struct UnbracedProperty {
    /// As it is written.
    pub(crate) written: String,
    pub(crate) name: String,
    pub(crate) place: Span,
}

message!(UnbracedProperty, |written, name, place| {
    Diagnostic::new(&LINT, place, format!("`{written}` is no expression"))
        .label(place, "is left as it is, and becomes a part of the path")
        .suggest(
            place,
            format!("the value of property `{name}` is"),
            format!("${{{name}}}"),
            Applicability::MaybeIncorrect,
        )
});
