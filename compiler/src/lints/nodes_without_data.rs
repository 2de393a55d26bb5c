use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "nodes_without_data",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("nodes_without_data.md"),
};

/// `wf:actionData` asks a node that never leaves data.
pub(crate) struct NodeWithoutData {
    /// The argument, with its quotes.
    pub(crate) place: Span,
    pub(crate) node: String,
    pub(crate) node_place: Span,
    /// A clause.
    pub(crate) why: String,
}

impl IntoDiagnostic for NodeWithoutData {
    fn into_diagnostic(self) -> Diagnostic {
        let NodeWithoutData {
            place,
            node,
            node_place,
            why,
        } = self;
        let diagnostic = Diagnostic::new(&LINT, place, format!("node `{node}` leaves no data"))
            .label(place, "the answer is always empty")
            .label(node_place, why.clone());
        match why.contains("capture-output") {
            true => diagnostic.help(
                "add `<capture-output/>` to the action; its output is then read as properties",
            ),
            false => diagnostic,
        }
    }
}
