use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0601", empty_action_text, ["EM001", "JA018"]);

/// An action whose type requires a text has an empty one.
pub(super) struct EmptyActionText {
    pub(super) kind: String,
    pub(super) element: &'static str,
    /// Where the text should be.
    pub(super) place: Span,
}

message!(EmptyActionText, |kind, element, place| {
    Diagnostic::new(
        &CODE,
        place,
        format!("the `{kind}` action has an empty `{element}`"),
    )
    .label(place, "the action fails without it")
});
