use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, unrendered_templates);

/// A file that is not a document yet: another tool makes one of it.
pub(crate) struct UnrenderedTemplate {
    /// The first marker.
    pub(crate) place: Span,
    /// Whose template it is.
    pub(crate) language: &'static str,
    /// How many diagnostics were left out.
    pub(crate) n_left_out: usize,
}

message!(UnrenderedTemplate, |place, language, n_left_out| {
    let left_out = match n_left_out {
        1 => "1 diagnostic that follows from it is left out".to_owned(),
        n => format!("{n} diagnostics that follow from it are left out"),
    };
    Diagnostic::new(
        &LINT,
        place,
        format!("this looks like a template of {language}"),
    )
    .label(place, "is replaced before Oozie sees the document")
    .note(left_out)
    .help("check, and build, what it is rendered to")
});
