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

/// A path of a file system that the generated program cannot reach.
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
            format!("paths of scheme `{scheme}` are not supported yet"),
        )
        .label(place, "only `file` and paths without a scheme are")
    }
}
