use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(super) static CODE: Code = Code {
    id: "H0302",
    name: "duplicate_node",
    level: Level::Error,
    oozie: &["E0705"],
    explanation: include_str!("duplicate_node.md"),
};

/// Two nodes have one name.
pub(super) struct DuplicateNode {
    pub(super) name: String,
    pub(super) second: Span,
    pub(super) first: Span,
}

impl IntoDiagnostic for DuplicateNode {
    fn into_diagnostic(self) -> Diagnostic {
        let DuplicateNode {
            name,
            second,
            first,
        } = self;
        Diagnostic::new(
            &CODE,
            second,
            format!("node `{name}` is defined more than once"),
        )
        .label(second, "defined again here")
        .label(first, "first defined here")
        .help("give one of them another name")
    }
}
