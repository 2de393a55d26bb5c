use crate::{
    diagnostics::{Applicability, Diagnostic, lint, message, nearest},
    source::Span,
};

lint!(Warn, impossible_transitions);

/// `wf:transition` is compared with a node to which the given node has no transition.
pub(crate) struct ImpossibleTransition {
    pub(crate) node: String,
    pub(crate) node_place: Span,
    pub(crate) compared: String,
    /// The compared text, with its quotes.
    pub(crate) place: Span,
    /// The targets of the node's transitions, sorted.
    pub(crate) targets: Vec<String>,
}

message!(
    ImpossibleTransition,
    |node, node_place, compared, place, targets| {
        let names: Vec<&str> = targets.iter().map(String::as_str).collect();
        let similar = nearest(&compared, names.iter().copied()).map(str::to_owned);
        let diagnostic = Diagnostic::new(
            &LINT,
            place,
            format!("node `{node}` never leads to `{compared}`"),
        )
        .label(place, "the comparison has the same outcome in every job")
        .label(node_place, "the node that is asked about");
        let diagnostic = diagnostic.note(format!("`{node}` leads to {}", quoted(&names)));
        match similar {
            Some(similar) => diagnostic.suggest(
                place,
                "it leads to a node with a similar name",
                format!("'{similar}'"),
                Applicability::MaybeIncorrect,
            ),
            None => diagnostic,
        }
    }
);

/// The number of names that are shown.
const SHOWN: usize = 8;

fn quoted(names: &[&str]) -> String {
    let shown: Vec<String> = names
        .iter()
        .take(SHOWN)
        .map(|name| format!("`{name}`"))
        .collect();
    match (names.len().saturating_sub(SHOWN), shown.as_slice()) {
        (0, []) => "no other node".to_owned(),
        (0, shown) => shown.join(", "),
        (more, shown) => format!("{}, and {more} more", shown.join(", ")),
    }
}
