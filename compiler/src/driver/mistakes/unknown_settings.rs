use crate::{
    diagnostics::{Applicability, Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, unknown_settings);

/// An unknown name at the top level of `hpdl.toml`, or a key of an extension.
pub(crate) struct UnknownSetting {
    pub(crate) name: String,
    pub(crate) place: Span,
    pub(crate) similar: Option<&'static str>,
    /// What is known, in a sentence.
    pub(crate) known: &'static str,
}

message!(UnknownSetting, |name, place, similar, known| {
    let diagnostic = Diagnostic::new(&LINT, place, format!("unknown setting `{name}`"))
        .label(place, "this has no effect");
    match similar {
        Some(similar) => diagnostic.suggest(
            place,
            "there is a setting with a similar name",
            similar,
            Applicability::MaybeIncorrect,
        ),
        None => diagnostic.note(known),
    }
});
