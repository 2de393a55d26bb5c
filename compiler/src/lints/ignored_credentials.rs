use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, ignored_credentials);

/// An action has a `cred` attribute that is ignored.
pub(crate) struct IgnoredCredentials {
    pub(crate) action: String,
    pub(crate) because: IgnoredBecause,
    /// The names in the attribute.
    pub(crate) place: Span,
}

pub(crate) enum IgnoredBecause {
    /// No action of this type ever requests tokens.
    Type(String),
    /// There is no `credentials` section.
    NoSection,
}

message!(IgnoredCredentials, |action, because, place| {
    let label = match because {
        IgnoredBecause::Type(name) => format!("actions of type `{name}` take no credentials"),
        IgnoredBecause::NoSection => "the workflow has no `credentials` section".to_owned(),
    };
    Diagnostic::new(
        &LINT,
        place,
        format!("`cred` of action `{action}` has no effect"),
    )
    .label(place, label)
});
