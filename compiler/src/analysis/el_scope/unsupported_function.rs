use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(super) static CODE: Code = Code {
    id: "H0811",
    name: "unsupported_function",
    level: Level::Error,
    oozie: &[],
    explanation: include_str!("unsupported_function.md"),
};

/// A function of Oozie that asks a Hadoop cluster.
pub(super) struct UnsupportedFunction {
    /// With its prefix.
    pub(super) name: String,
    pub(super) place: Span,
}

impl IntoDiagnostic for UnsupportedFunction {
    fn into_diagnostic(self) -> Diagnostic {
        let UnsupportedFunction { name, place } = self;
        Diagnostic::new(
            &CODE,
            place,
            format!("function `{name}` is not supported yet"),
        )
        .label(place, "asks a Hadoop cluster")
    }
}
