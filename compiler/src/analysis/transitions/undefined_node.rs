use crate::{
    diagnostics::{Applicability, Diagnostic, code, message},
    source::Span,
};

code!("H0301", undefined_node, ["E0708"]);

/// How many further uses are labelled.
const MOST: usize = 4;

/// Transitions to a node that the workflow does not define.
pub(super) struct UndefinedNode {
    pub(super) name: String,
    /// The first use: an attribute value, without its quotes.
    pub(super) first: Span,
    pub(super) others: Vec<Span>,
    /// The similar name of a node.
    pub(super) similar: Option<String>,
}

message!(UndefinedNode, |name, first, others, similar| {
    let mut diagnostic = Diagnostic::new(&CODE, first, format!("undefined node `{name}`"))
        .label(first, "no node has this name");
    for &other in others.iter().take(MOST) {
        diagnostic = diagnostic.label(other, "nor is there one for this");
    }
    diagnostic = match others.len().saturating_sub(MOST) {
        0 => diagnostic,
        1 => diagnostic.note("1 more transition leads there"),
        n_more => diagnostic.note(format!("{n_more} more transitions lead there")),
    };
    match similar {
        // Many edits would only clutter the output.
        Some(similar) if others.len() > MOST => {
            diagnostic.help(format!("there is a node with a similar name: `{similar}`"))
        }
        Some(similar) => diagnostic.suggest_edits(
            "there is a node with a similar name",
            [first]
                .into_iter()
                .chain(others)
                .map(|place| (place, similar.clone()))
                .collect(),
            Applicability::MaybeIncorrect,
        ),
        None => diagnostic.help("define a node of this name, or lead to another one"),
    }
});
