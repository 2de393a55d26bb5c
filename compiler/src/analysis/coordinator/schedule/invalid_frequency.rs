use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0701", invalid_frequency, ["E1003", "E1004"]);

/// A frequency that is neither a valid number nor a cron expression.
pub(super) struct InvalidFrequency {
    /// The text, or the invalid part of it.
    pub(super) place: Span,
    /// Lowercase, a phrase about the value.
    pub(super) problem: String,
    pub(super) help: Option<String>,
    /// Where the value is defined, if in another file.
    pub(super) origin: Option<Span>,
}

message!(InvalidFrequency, |place, problem, help, origin| {
    let mut diagnostic = Diagnostic::new(&CODE, place, "invalid frequency").label(place, problem);
    if let Some(origin) = origin {
        diagnostic = diagnostic.label(origin, "the value is given here");
    }
    match help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
});
