use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "ignored_credentials",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("ignored_credentials.md"),
};

/// An action has a `cred` attribute that nothing reads.
pub(crate) struct IgnoredCredentials {
    pub(crate) action: String,
    pub(crate) because: IgnoredBecause,
    /// The names in the attribute.
    pub(crate) place: Span,
}

pub(crate) enum IgnoredBecause {
    /// No action of this type ever asks for tokens.
    Type(String),
    /// There is no `credentials` section.
    NoSection,
}

impl IntoDiagnostic for IgnoredCredentials {
    fn into_diagnostic(self) -> Diagnostic {
        let IgnoredCredentials {
            action,
            because,
            place,
        } = self;
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
    }
}
