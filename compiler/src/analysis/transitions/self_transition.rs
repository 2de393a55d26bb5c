use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0303", self_transition, ["E0706"]);

/// A transition of a node to itself.
pub(super) struct SelfTransition {
    pub(super) name: String,
    pub(super) reference: Span,
    /// Only an action can be retried instead.
    pub(super) is_action: bool,
}

message!(SelfTransition, |name, reference, is_action| {
    let diagnostic = Diagnostic::new(
        &CODE,
        reference,
        format!("node `{name}` has a transition to itself"),
    )
    .label(reference, "leads back to the same node");
    if is_action {
        diagnostic
            .help_xml("to try an action again, give it `retry-max` and `retry-interval` attributes")
    } else {
        diagnostic.help("lead to another node")
    }
});
