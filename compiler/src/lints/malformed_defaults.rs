use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "malformed_defaults",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("malformed_defaults.md"),
};

/// A default that no job can use.
pub(crate) struct MalformedDefault {
    /// Where it is used, such as "the `retry-max` attribute".
    pub(crate) what: String,
    /// What it has to be there.
    pub(crate) wanted: &'static str,
    pub(crate) value: String,
    pub(crate) place: Span,
    pub(crate) used: Option<Span>,
}

impl IntoDiagnostic for MalformedDefault {
    fn into_diagnostic(self) -> Diagnostic {
        let MalformedDefault {
            what,
            wanted,
            value,
            place,
            used,
        } = self;
        let diagnostic = Diagnostic::new(
            &LINT,
            place,
            format!("with the default, {what} is `{value}`"),
        );
        let diagnostic = match used {
            Some(used) => diagnostic
                .label(place, "every job that is given nothing else fails")
                .label(used, format!("expected {wanted}")),
            None => diagnostic.label(place, format!("expected {wanted}")),
        };
        diagnostic
            .help("leave the default out, so that a value has to be given, or write one that works")
    }
}
