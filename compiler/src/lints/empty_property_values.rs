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

/// A property of the job whose value is empty, and that an expression reads.
pub(crate) struct DroppedProperty {
    pub(crate) name: String,
    /// The first place where it is read.
    pub(crate) read: Span,
    /// Where it is given, if in a file.
    pub(crate) given: Option<Span>,
}

message!(DroppedProperty, |name, read, given| {
    let diagnostic = Diagnostic::new(
        &LINT,
        given.unwrap_or(read),
        format!("property `{name}` has an empty value"),
    );
    let diagnostic = match given {
        Some(given) => diagnostic.label(given, "Oozie drops this property"),
        None => diagnostic,
    };
    diagnostic
        .label(read, "fails in Oozie, as there is no such property")
        .note("here it is the empty text; in Oozie the job fails with EL_ERROR")
        .help(format!(
            "give it a value, or read it with `wf:conf('{name}')`, which may be empty"
        ))
});
