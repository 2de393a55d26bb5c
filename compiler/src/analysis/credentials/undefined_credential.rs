use crate::{
    diagnostics::{Applicability, Code, Diagnostic, IntoDiagnostic, Level},
    source::{Span, Spanned},
};

pub(super) static CODE: Code = Code {
    id: "H0609",
    name: "undefined_credential",
    level: Level::Error,
    oozie: &["JA021"],
    explanation: include_str!("undefined_credential.md"),
};

/// An action asks for a credential that the `credentials` section does not have.
pub(super) struct UndefinedCredential {
    /// As it stands in the `cred` attribute, between commas.
    pub(super) name: Spanned<String>,
    /// The credential that is meant but for the blanks around its name.
    pub(super) trimmed: Option<String>,
    pub(super) similar: Option<String>,
    /// The name in the section's start tag.
    pub(super) section: Span,
}

impl IntoDiagnostic for UndefinedCredential {
    fn into_diagnostic(self) -> Diagnostic {
        let UndefinedCredential {
            name,
            trimmed,
            similar,
            section,
        } = self;
        let label = match trimmed {
            Some(_) => "the blanks count as part of the name",
            None => "no credential has this name",
        };
        let diagnostic = Diagnostic::new(
            &CODE,
            name.span,
            format!("undefined credential `{}`", name.value),
        )
        .label(name.span, label)
        .label(section, "defined are those in this section");
        match (trimmed, similar) {
            (Some(meant), _) => diagnostic.suggest(
                name.span,
                "leave the blanks out",
                meant,
                Applicability::MachineApplicable,
            ),
            (None, Some(similar)) => diagnostic.suggest(
                name.span,
                "there is a credential with a similar name",
                similar,
                Applicability::MaybeIncorrect,
            ),
            (None, None) => diagnostic,
        }
    }
}
