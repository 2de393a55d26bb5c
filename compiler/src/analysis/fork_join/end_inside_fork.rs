use super::NamedSpan;
use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0309", end_inside_fork, ["E0737", "E0730"]);

/// How many forks, and how many further transitions, are labelled.
const MOST: usize = 4;

/// A branch of a fork reaches the end of the workflow before a join.
pub(super) struct EndInsideFork {
    pub(super) end: String,
    /// The forks that may be open then; at least one.
    pub(super) forks: Vec<NamedSpan>,
    /// The join of the fork, if there is exactly one fork and one join.
    pub(super) join: Option<NamedSpan>,
    /// The first transition to the end.
    pub(super) first: Span,
    pub(super) others: Vec<Span>,
}

message!(EndInsideFork, |end, forks, join, first, others| {
    let mut forks = forks;
    forks.sort_by(|left, right| left.name.cmp(&right.name));
    let message = match forks.as_slice() {
        [fork] => format!("`{end}` is reached inside fork `{}`", fork.name),
        forks => format!("`{end}` is reached inside {} forks", forks.len()),
    };
    let mut diagnostic = Diagnostic::new(&CODE, first, message).label(
        first,
        "ends the workflow while other branches may still run",
    );
    for fork in forks.iter().take(MOST) {
        diagnostic = diagnostic.label(fork.span, "this fork is still open");
    }
    if let Some(n_more @ 1..) = forks.len().checked_sub(MOST) {
        diagnostic = diagnostic.note(format!("and {n_more} more"));
    }
    for &other in others.iter().take(MOST) {
        diagnostic = diagnostic.label(other, "and so does this");
    }
    if let Some(n_more @ 1..) = others.len().checked_sub(MOST) {
        let transitions = if n_more == 1 {
            "transition"
        } else {
            "transitions"
        };
        diagnostic = diagnostic.note(format!("{n_more} more {transitions} to it in this fork"));
    }
    match join {
        Some(join) => diagnostic
            .label(join.span, "the join of this fork")
            .help_xml(format!(
                "lead the branch to `{}`, or to a `kill`",
                join.name
            )),
        None => diagnostic.help_xml("lead the branches to their `join`, or to a `kill`"),
    }
});
