use crate::{
    diagnostics::{Applicability, Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, unknown_alert_events);

/// An unknown event in `alert-events`.
pub(crate) struct UnknownAlertEvent {
    pub(crate) name: String,
    pub(crate) place: Span,
    /// The place is that of the name, not of an expression whose value contains it.
    pub(crate) is_written: bool,
    pub(crate) similar: Option<String>,
}

message!(UnknownAlertEvent, |name, place, is_written, similar| {
    let diagnostic = Diagnostic::new(&LINT, place, format!("unknown alert event `{name}`"))
        .label(place, "Oozie takes it for `end_miss`")
        .note("there are `start_miss`, `end_miss`, `duration_miss`, and the same with `met`");
    match similar {
        Some(similar) if !is_written => diagnostic.help(format!(
            "there is an event with a similar name: `{similar}`"
        )),
        Some(similar) => diagnostic.suggest(
            place,
            "there is an event with a similar name",
            similar,
            Applicability::MaybeIncorrect,
        ),
        None => diagnostic,
    }
});
