use hpdlc_core::file_systems;

use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(super) static CODE: Code = Code {
    id: "H0812",
    name: "unsupported_scheme",
    level: Level::Error,
    oozie: &[],
    explanation: include_str!("unsupported_scheme.md"),
};

/// A path of a file system that no program reaches.
pub(super) struct UnsupportedScheme {
    pub(super) scheme: String,
    /// The scheme alone.
    pub(super) place: Span,
}

impl IntoDiagnostic for UnsupportedScheme {
    fn into_diagnostic(self) -> Diagnostic {
        let UnsupportedScheme { scheme, place } = self;
        Diagnostic::new(
            &CODE,
            place,
            format!("paths of scheme `{scheme}` are not supported"),
        )
        .label(place, "no program reaches them")
        .note(format!(
            "`file`, `{}` are known",
            file_systems::REMOTE_SCHEMES.join("`, `")
        ))
    }
}
