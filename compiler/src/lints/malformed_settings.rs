use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, malformed_settings);

/// A property that is read as a number or boolean, with a value of another form.
pub(crate) struct MalformedSetting {
    pub(crate) name: String,
    pub(crate) value: String,
    /// It is read as a number.
    pub(crate) is_number: bool,
    pub(crate) place: Span,
    /// Where the value is defined, if elsewhere.
    pub(crate) origin: Option<Span>,
}

message!(MalformedSetting, |name, value, is_number, place, origin| {
    let diagnostic = Diagnostic::new(&LINT, place, format!("property `{name}` is `{value}`"));
    let diagnostic = if is_number {
        diagnostic.label(place, "read as a whole number, and fails where it is read")
    } else {
        diagnostic.label(
            place,
            "neither `true` nor `false`, so that the default holds",
        )
    };
    match origin {
        Some(origin) => diagnostic.label(origin, "the value is given here"),
        None => diagnostic,
    }
});
