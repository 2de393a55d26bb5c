use crate::{
    diagnostics::{Applicability, Diagnostic, code, message},
    source::Span,
};

code!("H0612", malformed_value, ["E0700"]);

/// A value that does not have the required format, in any job.
pub(super) struct MalformedValue {
    /// Where it is, such as "the `permissions` attribute".
    pub(super) what: String,
    /// The required format.
    pub(super) wanted: &'static str,
    pub(super) value: String,
    pub(super) place: Span,
    /// The value is at `place`.
    pub(super) is_literal: bool,
    /// Where the value is otherwise.
    pub(super) origin: Option<Span>,
    pub(super) meant: Option<String>,
}

message!(MalformedValue, |what,
                          wanted,
                          value,
                          place,
                          is_literal,
                          origin,
                          meant| {
    let diagnostic = Diagnostic::new(&CODE, place, format!("{what} is `{value}`"))
        .label(place, format!("expected {wanted}"));
    let diagnostic = match origin {
        Some(origin) => diagnostic.label(origin, "the value is given here"),
        None => diagnostic,
    };
    match meant {
        Some(meant) if is_literal => diagnostic.suggest(
            place,
            "there is a value like it that has the form",
            meant,
            Applicability::MaybeIncorrect,
        ),
        Some(meant) => diagnostic.help(format!("give it as `{meant}`")),
        None => diagnostic,
    }
});
