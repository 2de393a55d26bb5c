use crate::{
    diagnostics::{Applicability, Diagnostic, code, message},
    source::{Span, Spanned},
};

code!("H0609", undefined_credential, ["JA021"]);

/// An action refers to a credential that the `credentials` section does not define.
pub(super) struct UndefinedCredential {
    /// As it is in the `cred` attribute, between commas.
    pub(super) name: Spanned<String>,
    /// The credential whose name equals this one without the surrounding blanks.
    pub(super) trimmed: Option<String>,
    pub(super) similar: Option<String>,
    /// The name in the section's start tag.
    pub(super) section: Span,
}

message!(UndefinedCredential, |name, trimmed, similar, section| {
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
});
