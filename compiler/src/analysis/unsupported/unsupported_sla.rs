use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Spanned,
};

pub(super) static CODE: Code = Code {
    id: "H0803",
    name: "unsupported_sla",
    level: Level::Error,
    oozie: &[],
    explanation: include_str!("unsupported_sla.md"),
};

/// An SLA block, which nothing watches yet.
pub(super) struct UnsupportedSla {
    pub(super) name: Spanned<String>,
}

impl IntoDiagnostic for UnsupportedSla {
    fn into_diagnostic(self) -> Diagnostic {
        let UnsupportedSla { name } = self;
        Diagnostic::new(
            &CODE,
            name.span,
            format!("the SLA block `{}` is not supported yet", name.value),
        )
        .label(name.span, "nothing would watch these times")
    }
}
