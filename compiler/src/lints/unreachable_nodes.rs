use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, unreachable_nodes);

/// No path from `start` leads to a node.
pub(crate) struct UnreachableNode {
    pub(crate) name: String,
    pub(crate) place: Span,
    /// A node that leads here and is unreachable itself.
    pub(crate) predecessor: Option<String>,
}

message!(UnreachableNode, |name, place, predecessor| {
    let diagnostic = Diagnostic::new(&LINT, place, format!("node `{name}` is never reached"));
    match predecessor {
        Some(predecessor) => diagnostic.label(
            place,
            format!("only unreachable nodes such as `{predecessor}` lead here"),
        ),
        None => diagnostic.label(place, "no transition leads here"),
    }
});
