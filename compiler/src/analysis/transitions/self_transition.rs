use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(super) static CODE: Code = Code {
    id: "H0303",
    name: "self_transition",
    level: Level::Error,
    oozie: &["E0706"],
    explanation: include_str!("self_transition.md"),
};

/// A node is its own successor.
pub(super) struct SelfTransition {
    pub(super) name: String,
    pub(super) reference: Span,
    /// Only an action can be retried instead.
    pub(super) is_action: bool,
}

impl IntoDiagnostic for SelfTransition {
    fn into_diagnostic(self) -> Diagnostic {
        let SelfTransition {
            name,
            reference,
            is_action,
        } = self;
        let diagnostic = Diagnostic::new(
            &CODE,
            reference,
            format!("node `{name}` has a transition to itself"),
        )
        .label(reference, "leads back to the same node");
        if is_action {
            diagnostic
                .help("to try an action again, give it `retry-max` and `retry-interval` attributes")
        } else {
            diagnostic.help("lead to another node")
        }
    }
}
