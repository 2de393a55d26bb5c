use crate::diagnostics::{Diagnostic, Place, lint, message};

lint!(Warn, suspicious_properties);

/// A given property has no effect, or probably not the intended one.
pub(crate) struct SuspiciousProperty {
    pub(crate) place: Place,
    /// What is wrong, in one phrase.
    pub(crate) message: String,
}

message!(SuspiciousProperty, |place, message| {
    match place {
        Place::Span(span) => Diagnostic::new(&LINT, span, message).label(span, "here"),
        Place::File(file) => Diagnostic::for_file(&LINT, file, message),
        Place::Path(path) => Diagnostic::for_path(&LINT, path, message),
    }
});
