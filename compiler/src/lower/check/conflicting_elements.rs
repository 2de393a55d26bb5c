use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Spanned,
};

pub(crate) static CODE: Code = Code {
    id: "H0209",
    name: "conflicting_elements",
    level: Level::Error,
    oozie: &["E0701"],
    explanation: include_str!("conflicting_elements.md"),
};

/// Two elements of which a parent has at most one.
pub(crate) struct ConflictingElements {
    pub(crate) parent: String,
    pub(crate) first: Spanned<String>,
    pub(crate) second: Spanned<String>,
}

impl IntoDiagnostic for ConflictingElements {
    fn into_diagnostic(self) -> Diagnostic {
        let ConflictingElements {
            parent,
            first,
            second,
        } = self;
        Diagnostic::new(
            &CODE,
            second.span,
            format!(
                "the `{parent}` element has both `{}` and `{}`",
                first.value, second.value
            ),
        )
        .label(second.span, "excludes the other one")
        .label(first.span, "first one here")
        .help("keep one of them")
    }
}
