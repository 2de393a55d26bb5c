use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Spanned,
};

code!("H0210", several_action_bodies, ["E0701"]);

/// An action with more than one body.
pub(crate) struct SeveralActionBodies {
    pub(crate) first: Spanned<String>,
    pub(crate) second: Spanned<String>,
}

message!(SeveralActionBodies, |first, second| {
    Diagnostic::new(
        &CODE,
        second.span,
        format!("a second body, `{}`, in one action", second.value),
    )
    .label(second.span, "an action does one thing")
    .label(first.span, "the action's body is already here")
    .help_xml("make an action of each, and let `ok` lead from one to the next")
});
