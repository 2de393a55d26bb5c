use crate::{
    diagnostics::{Diagnostic, lint, message},
    lints::uncertain_node_references::label_others,
    source::Span,
};

lint!(Warn, unavailable_node_references);

/// A function refers to a node whose result is not available by then.
pub(crate) struct UnavailableNodeReference {
    /// With its prefix.
    pub(crate) function: String,
    /// The argument, with its quotes; its first occurrence.
    pub(crate) place: Span,
    /// The other occurrences.
    pub(crate) others: Vec<Span>,
    pub(crate) node: String,
    pub(crate) node_place: Span,
    /// The node that evaluates the text.
    pub(crate) at: String,
    pub(crate) is_itself: bool,
    /// Whether `has_run` and `fork` were determined: there may be too many references for that.
    pub(crate) is_searched: bool,
    /// The node has run on some path, but has not ended in the required way.
    pub(crate) has_run: bool,
    /// Whether the required way is success.
    pub(crate) is_about_success: bool,
    /// The fork in whose branches the two run in parallel, with its place.
    pub(crate) fork: Option<(String, Span)>,
}

impl UnavailableNodeReference {
    /// Whether it is the same mistake about the same node, in another place.
    pub(crate) fn is_like(&self, other: &UnavailableNodeReference) -> bool {
        self.function == other.function
            && self.is_itself == other.is_itself
            && self.is_searched == other.is_searched
            && self.has_run == other.has_run
            && self.fork == other.fork
    }
}

message!(
    UnavailableNodeReference,
    |function,
     place,
     others,
     node,
     node_place,
     at,
     is_itself,
     is_searched,
     has_run,
     is_about_success,
     fork| {
        let headline = match (is_itself, has_run, is_about_success, &fork) {
            (true, ..) => format!("node `{node}` asks `{function}` about itself"),
            (false, ..) if !is_searched => {
                format!("node `{node}` has not ended as `{function}` asks when `{at}` runs")
            }
            (false, true, true, _) => {
                format!("node `{node}` has failed wherever `{at}` runs, and left no data")
            }
            (false, true, false, _) => format!("node `{node}` has not failed wherever `{at}` runs"),
            (false, false, _, Some((fork, _))) => {
                format!("node `{node}` runs beside `{at}`, in another branch of fork `{fork}`")
            }
            (false, false, _, None) => format!("node `{node}` cannot have run before `{at}`"),
        };
        let diagnostic = Diagnostic::new(&LINT, place, headline)
            .label(
                place,
                match &fork {
                    Some(_) => "whether there is an answer is chance",
                    None if !is_searched && !is_itself => "the answer is empty, or chance",
                    None => "the answer is always empty",
                },
            )
            .label(node_place, "the node that is asked about");
        let diagnostic = label_others(diagnostic, &others);
        match fork {
            Some((_, fork_place)) => diagnostic
                .label(fork_place, "both run in branches of this fork")
                .help("ask behind the join"),
            None => diagnostic,
        }
    }
);
