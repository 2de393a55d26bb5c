use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(super) static CODE: Code = Code {
    id: "H0804",
    name: "unsupported_credentials",
    level: Level::Error,
    oozie: &[],
    explanation: include_str!("unsupported_credentials.md"),
};

/// An action asks for credentials, which no job gets yet.
pub(super) struct UnsupportedCredentials {
    pub(super) action: String,
    /// Never empty.
    pub(super) names: Vec<String>,
    /// All of them, in the `cred` attribute.
    pub(super) place: Span,
}

impl IntoDiagnostic for UnsupportedCredentials {
    fn into_diagnostic(self) -> Diagnostic {
        let UnsupportedCredentials {
            action,
            names,
            place,
        } = self;
        Diagnostic::new(
            &CODE,
            place,
            format!(
                "the credentials `{}` of action `{action}` are not supported yet",
                names.join(",")
            ),
        )
        .label(place, "the action would run without them")
        .help(
            "where the cluster is not secured, leave them out, or set `oozie.credentials.skip` to `true` in the action's configuration",
        )
    }
}
