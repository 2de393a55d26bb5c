use crate::{
    diagnostics::{Applicability, Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, misspelt_credential_types, ["JA020"]);

/// A credential has nearly the name of a type for which Oozie has a provider.
pub(crate) struct MisspeltCredentialType {
    pub(crate) written: String,
    pub(crate) place: Span,
    pub(crate) meant: &'static str,
}

message!(MisspeltCredentialType, |written, place, meant| {
    Diagnostic::new(
        &LINT,
        place,
        format!("credentials of type `{written}` are probably of type `{meant}`"),
    )
    .label(place, "Oozie has no provider of this type")
    .note("an action that uses it ends in ERROR with JA020, unless the server has a provider of this name")
    .suggest(
        place,
        "the type is",
        meant,
        Applicability::MaybeIncorrect,
    )
});
