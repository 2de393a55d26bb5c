use crate::{
    diagnostics::{Applicability, Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, misspelt_settings);

/// A property with nearly the name of a setting of Hadoop, Hive or Oozie, which does not have this name.
pub(crate) struct MisspeltSetting {
    pub(crate) name: String,
    /// The name.
    pub(crate) place: Span,
    pub(crate) meant: String,
}

message!(MisspeltSetting, |name, place, meant| {
    Diagnostic::new(
        &LINT,
        place,
        format!("`{name}` is no setting, but `{meant}` is one"),
    )
    .label(place, "nothing reads a property of this name")
    .suggest(
        place,
        "the setting is written",
        meant,
        Applicability::MaybeIncorrect,
    )
});
