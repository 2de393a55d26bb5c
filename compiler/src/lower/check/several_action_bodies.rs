use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Spanned,
};

pub(crate) static CODE: Code = Code {
    id: "H0210",
    name: "several_action_bodies",
    level: Level::Error,
    oozie: &["E0701"],
    explanation: include_str!("several_action_bodies.md"),
};

/// An action with more than one body.
pub(crate) struct SeveralActionBodies {
    pub(crate) first: Spanned<String>,
    pub(crate) second: Spanned<String>,
}

impl IntoDiagnostic for SeveralActionBodies {
    fn into_diagnostic(self) -> Diagnostic {
        let SeveralActionBodies { first, second } = self;
        Diagnostic::new(
            &CODE,
            second.span,
            format!("a second body, `{}`, in one action", second.value),
        )
        .label(second.span, "an action does one thing")
        .label(first.span, "the action's body is already here")
        .help("make an action of each, and let `ok` lead from one to the next")
    }
}
