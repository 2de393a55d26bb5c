use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(crate) static CODE: Code = Code {
    id: "H0220",
    name: "expression_in_name",
    level: Level::Error,
    oozie: &["E0701", "E0708"],
    explanation: include_str!("expression_in_name.md"),
};

/// `${…}` in a node's name or in a reference to one.
pub(crate) struct ExpressionInName {
    /// "the `to` attribute".
    pub(crate) subject: String,
    pub(crate) text: Span,
}

impl IntoDiagnostic for ExpressionInName {
    fn into_diagnostic(self) -> Diagnostic {
        let ExpressionInName { subject, text } = self;
        Diagnostic::new(&CODE, text, format!("expression in {subject}"))
            .label(text, "names of nodes are never evaluated")
            .help("a `decision` node chooses where to go by expressions")
    }
}
