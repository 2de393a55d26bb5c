use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, uncertain_node_references);

/// A function refers to a node that some path does not run.
pub(crate) struct UncertainNodeReference {
    /// With its prefix.
    pub(crate) function: String,
    /// The argument, with its quotes; its first occurrence.
    pub(crate) place: Span,
    /// The other occurrences.
    pub(crate) others: Vec<Span>,
    pub(crate) node: String,
    pub(crate) node_place: Span,
    /// A path without the node, as texts for its steps; empty if the limit on searches was reached.
    pub(crate) path: Vec<String>,
    /// The transition with which that path diverges from those through the node, and whether it is the node's own `error`.
    pub(crate) turn: Option<(Span, bool)>,
}

/// The number of steps of a path that are shown at each end.
const SHOWN: usize = 4;

impl UncertainNodeReference {
    /// Whether it is the same mistake about the same node, in another place.
    pub(crate) fn is_like(&self, other: &UncertainNodeReference) -> bool {
        self.function == other.function && self.turn == other.turn
    }
}

message!(
    UncertainNodeReference,
    |function, place, others, node, node_place, path, turn| {
        let is_failure = matches!(turn, Some((_, true)));
        let headline = match is_failure {
            true => format!("node `{node}` may have failed before `{function}` asks for its data"),
            false => format!("node `{node}` may not have run when `{function}` asks about it"),
        };
        let diagnostic = Diagnostic::new(&LINT, place, headline)
            .label(place, "empty on some paths")
            .label(node_place, "the node that is asked about");
        let diagnostic = match turn {
            Some((span, true)) => diagnostic.label(span, "there are no data on this way"),
            Some((span, false)) => diagnostic.label(span, "this way passes it by"),
            None => diagnostic,
        };
        let diagnostic = label_others(diagnostic, &others);
        let diagnostic = match path.as_slice() {
            [] => diagnostic,
            path => diagnostic.note(format!("for example: {}", joined(path))),
        };
        diagnostic.help(
            "say what holds without it: `empty ...`, `firstNotNull(..., 'other')` or `... eq null`",
        )
    }
);

/// Labels further occurrences, and counts those above the limit.
pub(super) fn label_others(mut diagnostic: Diagnostic, others: &[Span]) -> Diagnostic {
    const MOST: usize = 3;
    for &other in others.iter().take(MOST) {
        diagnostic = diagnostic.label(other, "asked here too");
    }
    match others.len().saturating_sub(MOST) {
        0 => diagnostic,
        1 => diagnostic.note("asked in 1 more place"),
        n_more => diagnostic.note(format!("asked in {n_more} more places")),
    }
}

fn joined(path: &[String]) -> String {
    if path.len() <= 2 * SHOWN + 1 {
        return path.join(" -> ");
    }
    let left_out = path.len() - 2 * SHOWN;
    format!(
        "{} -> {left_out} more -> {}",
        path[..SHOWN].join(" -> "),
        path[path.len() - SHOWN..].join(" -> ")
    )
}
