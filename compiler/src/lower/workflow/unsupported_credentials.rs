use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::{Span, Spanned},
};

pub(crate) static CODE: Code = Code {
    id: "H0804",
    name: "unsupported_credentials",
    level: Level::Error,
    oozie: &[],
    explanation: include_str!("unsupported_credentials.md"),
};

/// Credentials are asked for, which no job gets yet.
pub(crate) enum UnsupportedCredentials {
    /// The section that describes them.
    Section { name: Span },
    /// An action's `cred`.
    Use { names: Spanned<String> },
}

impl IntoDiagnostic for UnsupportedCredentials {
    fn into_diagnostic(self) -> Diagnostic {
        match self {
            UnsupportedCredentials::Section { name } => {
                Diagnostic::new(&CODE, name, "`credentials` are not supported yet")
                    .label(name, "no action would get them")
            }
            UnsupportedCredentials::Use { names } => Diagnostic::new(
                &CODE,
                names.span,
                format!("the credentials `{}` are not supported yet", names.value),
            )
            .label(names.span, "the action would run without them"),
        }
    }
}
