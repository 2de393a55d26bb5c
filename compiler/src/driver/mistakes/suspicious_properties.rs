use crate::diagnostics::{Diagnostic, Place, lint, message};

lint!(Warn, suspicious_properties);

/// A property that is given has no effect, or hardly the one that was meant.
pub(crate) struct SuspiciousProperty {
    pub(crate) place: Place,
    /// What it is, in one phrase.
    pub(crate) message: String,
}

message!(SuspiciousProperty, |place, message| {
    match place {
        Place::Span(span) => Diagnostic::new(&LINT, span, message).label(span, "here"),
        Place::File(file) => Diagnostic::for_file(&LINT, file, message),
        Place::Path(path) => Diagnostic::for_path(&LINT, path, message),
    }
});
