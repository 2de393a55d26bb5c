use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, empty_property_values);

/// A configuration property whose value is empty.
pub(crate) struct EmptyPropertyValue {
    pub(crate) name: String,
    /// The name of the property.
    pub(crate) place: Span,
}

message!(EmptyPropertyValue, |name, place| {
    Diagnostic::new(
        &LINT,
        place,
        format!("property `{name}` has an empty value"),
    )
    .label(place, "Oozie drops this property")
    .note("a value of the same property in `global` or `config-default.xml` stays in force")
});
