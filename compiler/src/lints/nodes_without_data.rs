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
    pub(crate) asked: AskedResult,
    /// A clause.
    pub(crate) why: String,
    /// Nodes that have it.
    pub(crate) others: Vec<String>,
}

/// What is asked of a node.
#[derive(Clone, Copy)]
pub(crate) enum AskedResult {
    Data,
    /// Data with a certain key.
    Key,
    Counters,
}

message!(NodeWithoutData, |place,
                           node,
                           node_place,
                           asked,
                           why,
                           others| {
    let (what, answer) = match asked {
        AskedResult::Key => ("data with this key", "the value is always empty"),
        AskedResult::Data => ("data", "the answer is always empty"),
        AskedResult::Counters => ("counters", "the expression fails, and the job with it"),
    };
    let diagnostic = Diagnostic::new(&LINT, place, format!("node `{node}` leaves no {what}"))
        .label(place, answer)
        .label(node_place, why.clone());
    if why.contains("capture-output") {
        return diagnostic.help_xml(
            "add `<capture-output/>` to the action; its output is then read as properties",
        );
    }
    let have = match asked {
        AskedResult::Data | AskedResult::Key => "captures output",
        AskedResult::Counters => "has counters",
    };
    match others.as_slice() {
        [] => diagnostic,
        [other] => diagnostic.help(format!("node `{other}` {have}")),
        _ => diagnostic.help(format!(
            "a node that {have} is meant, such as `{}`",
            others.join("`, `")
        )),
    }
});
