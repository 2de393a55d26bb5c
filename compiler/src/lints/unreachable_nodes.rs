use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "unreachable_nodes",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("unreachable_nodes.md"),
};

/// No path from `start` leads to a node.
pub(crate) struct UnreachableNode {
    pub(crate) name: String,
    pub(crate) place: Span,
    /// A node that leads here and is unreachable itself.
    pub(crate) predecessor: Option<String>,
}

impl IntoDiagnostic for UnreachableNode {
    fn into_diagnostic(self) -> Diagnostic {
        let UnreachableNode {
            name,
            place,
            predecessor,
        } = self;
        let diagnostic = Diagnostic::new(&LINT, place, format!("node `{name}` is never reached"));
        match predecessor {
            Some(predecessor) => diagnostic.label(
                place,
                format!("only unreachable nodes such as `{predecessor}` lead here"),
            ),
            None => diagnostic.label(place, "no transition leads here"),
        }
    }
}
