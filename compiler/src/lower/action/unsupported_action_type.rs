use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Spanned,
};

pub(crate) static CODE: Code = Code {
    id: "H0801",
    name: "unsupported_action_type",
    level: Level::Error,
    oozie: &[],
    explanation: include_str!("unsupported_action_type.md"),
};

/// An action of a type that Oozie runs and the compiler does not build yet.
pub(crate) struct UnsupportedActionType {
    pub(crate) name: Spanned<String>,
}

impl IntoDiagnostic for UnsupportedActionType {
    fn into_diagnostic(self) -> Diagnostic {
        let UnsupportedActionType { name } = self;
        Diagnostic::new(
            &CODE,
            name.span,
            format!("the `{}` action is not supported yet", name.value),
        )
        .label(name.span, "valid, but the compiler cannot build it")
        .note("supported are `fs`, `java`, `shell`, and `sub-workflow`")
    }
}
