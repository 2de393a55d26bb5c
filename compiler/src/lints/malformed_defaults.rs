use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, malformed_defaults);

/// A default that no job can use.
pub(crate) struct MalformedDefault {
    /// Where it is used, such as "the `retry-max` attribute".
    pub(crate) what: String,
    /// The format that is required there.
    pub(crate) wanted: &'static str,
    pub(crate) value: String,
    pub(crate) place: Span,
    pub(crate) used: Option<Span>,
}

message!(MalformedDefault, |what, wanted, value, place, used| {
    let diagnostic = Diagnostic::new(
        &LINT,
        place,
        format!("with the default, {what} is `{value}`"),
    );
    let diagnostic = match used {
        Some(used) => diagnostic
            .label(place, "every job that is given nothing else fails")
            .label(used, format!("expected {wanted}")),
        None => diagnostic.label(place, format!("expected {wanted}")),
    };
    diagnostic
        .help("leave the default out, so that a value has to be given, or write one that works")
});
