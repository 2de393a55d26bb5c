use crate::{
    diagnostics::{Applicability, Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(crate) static LINT: Lint = Lint {
    name: "unknown_settings",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("unknown_settings.md"),
};

/// A name at the top of `hpdl.toml` that means nothing.
pub(crate) struct UnknownSetting {
    pub(crate) name: String,
    pub(crate) place: Span,
    pub(crate) similar: Option<&'static str>,
}

impl IntoDiagnostic for UnknownSetting {
    fn into_diagnostic(self) -> Diagnostic {
        let UnknownSetting {
            name,
            place,
            similar,
        } = self;
        let diagnostic = Diagnostic::new(&LINT, place, format!("unknown setting `{name}`"))
            .label(place, "this has no effect");
        match similar {
            Some(similar) => diagnostic.suggest(
                place,
                "there is a setting with a similar name",
                similar,
                Applicability::MaybeIncorrect,
            ),
            None => diagnostic.note("the settings are the tables `[lints]` and `[map]`"),
        }
    }
}
