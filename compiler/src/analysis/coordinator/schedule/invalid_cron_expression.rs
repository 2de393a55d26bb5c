use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0702", invalid_cron_expression, ["E1003"]);

/// A cron expression that Quartz rejects.
pub(super) struct InvalidCronExpression {
    /// The invalid field, if the expression is in the document.
    pub(super) place: Span,
    pub(super) message: String,
    pub(super) help: Option<String>,
    /// Where the value is defined, if in another file.
    pub(super) origin: Option<Span>,
}

message!(InvalidCronExpression, |place, message, help, origin| {
    let mut diagnostic =
        Diagnostic::new(&CODE, place, "invalid cron expression").label(place, message);
    if let Some(origin) = origin {
        diagnostic = diagnostic.label(origin, "the value is given here");
    }
    match help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
});
