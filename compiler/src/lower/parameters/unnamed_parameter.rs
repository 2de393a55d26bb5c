use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(crate) static CODE: Code = Code {
    id: "H0221",
    name: "unnamed_parameter",
    level: Level::Error,
    oozie: &["E0739"],
    explanation: include_str!("unnamed_parameter.md"),
};

/// A declared property with an empty name.
pub(crate) struct UnnamedParameter {
    /// The `name` element.
    pub(crate) name: Span,
}

impl IntoDiagnostic for UnnamedParameter {
    fn into_diagnostic(self) -> Diagnostic {
        let UnnamedParameter { name } = self;
        Diagnostic::new(&CODE, name, "a parameter without a name").label(name, "is empty")
    }
}
