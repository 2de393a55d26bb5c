use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, odd_cron_fields);

/// A field of a cron expression that has another effect than it appears to.
pub(crate) struct OddCronField {
    pub(crate) place: Span,
    pub(crate) message: String,
}

message!(OddCronField, |place, message| {
    Diagnostic::new(&LINT, place, "a cron field does not do what it says").label(place, message)
});
