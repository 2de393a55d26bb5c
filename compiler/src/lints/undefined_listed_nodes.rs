use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "undefined_listed_nodes",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("undefined_listed_nodes.md"),
};

/// A property of the job lists a node that the workflow does not have.
pub(crate) struct UndefinedListedNode {
    pub(crate) property: &'static str,
    pub(crate) name: String,
    pub(crate) place: Span,
    pub(crate) similar: Option<String>,
}

impl IntoDiagnostic for UndefinedListedNode {
    fn into_diagnostic(self) -> Diagnostic {
        let UndefinedListedNode {
            property,
            name,
            place,
            similar,
        } = self;
        let diagnostic = Diagnostic::new(
            &LINT,
            place,
            format!("`{property}` names node `{name}`, which the workflow does not have"),
        )
        .label(place, "the name has no effect");
        match similar {
            Some(similar) => {
                diagnostic.help(format!("there is a node with a similar name: `{similar}`"))
            }
            None => diagnostic,
        }
    }
}
