use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, nodes_without_data);

/// `wf:actionData` of a node that never has data, or `hadoop:counters` of one without counters.
pub(crate) struct NodeWithoutData {
    /// The argument, with its quotes.
    pub(crate) place: Span,
    pub(crate) node: String,
    pub(crate) node_place: Span,
    /// `data` or `counters`.
    pub(crate) what: &'static str,
    /// A clause.
    pub(crate) why: String,
}

message!(NodeWithoutData, |place, node, node_place, what, why| {
    let diagnostic = Diagnostic::new(&LINT, place, format!("node `{node}` leaves no {what}"))
        .label(place, "the answer is always empty")
        .label(node_place, why.clone());
    match why.contains("capture-output") {
        true => diagnostic.help_xml(
            "add `<capture-output/>` to the action; its output is then read as properties",
        ),
        false => diagnostic,
    }
});
