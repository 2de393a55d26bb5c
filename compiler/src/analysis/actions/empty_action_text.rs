use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(super) static CODE: Code = Code {
    id: "H0601",
    name: "empty_action_text",
    level: Level::Error,
    oozie: &["EM001", "JA018"],
    explanation: include_str!("empty_action_text.md"),
};

/// An action whose type needs a text has an empty one.
pub(super) struct EmptyActionText {
    pub(super) kind: String,
    pub(super) element: &'static str,
    /// Where the text should be.
    pub(super) place: Span,
}

impl IntoDiagnostic for EmptyActionText {
    fn into_diagnostic(self) -> Diagnostic {
        let EmptyActionText {
            kind,
            element,
            place,
        } = self;
        Diagnostic::new(
            &CODE,
            place,
            format!("the `{kind}` action has an empty `{element}`"),
        )
        .label(place, "the action fails without it")
    }
}
