use crate::{
    diagnostics::{Applicability, Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(super) static CODE: Code = Code {
    id: "H0301",
    name: "undefined_node",
    level: Level::Error,
    oozie: &["E0708"],
    explanation: include_str!("undefined_node.md"),
};

/// A transition names a node that the workflow does not define.
pub(super) struct UndefinedNode {
    pub(super) name: String,
    /// The attribute value, without its quotes.
    pub(super) reference: Span,
    /// The name of a node.
    pub(super) similar: Option<String>,
}

impl IntoDiagnostic for UndefinedNode {
    fn into_diagnostic(self) -> Diagnostic {
        let UndefinedNode {
            name,
            reference,
            similar,
        } = self;
        let diagnostic = Diagnostic::new(&CODE, reference, format!("undefined node `{name}`"))
            .label(reference, "no node has this name");
        match similar {
            Some(similar) => diagnostic.suggest(
                reference,
                "there is a node with a similar name",
                similar,
                Applicability::MaybeIncorrect,
            ),
            None => diagnostic.help("define a node of this name, or lead to another one"),
        }
    }
}
