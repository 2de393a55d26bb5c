use super::NamedSpan;
use crate::diagnostics::{Diagnostic, code, message};

code!("H0306", several_joins_of_fork, ["E0757", "E0758", "E0730"]);

/// How many joins are named and labelled.
const MOST: usize = 5;

/// The branches of a fork reach different joins.
pub(super) struct SeveralJoins {
    pub(super) fork: NamedSpan,
    /// At least two.
    pub(super) joins: Vec<NamedSpan>,
}

message!(SeveralJoins, |fork, joins| {
    let mut joins = joins;
    joins.sort_by(|left, right| left.name.cmp(&right.name));
    let mut diagnostic = Diagnostic::new(
        &CODE,
        fork.span,
        format!(
            "branches of fork `{}` reach {} different joins",
            fork.name,
            joins.len()
        ),
    )
    .label(fork.span, "all branches of this fork must meet at one join");
    for join in joins.iter().take(MOST) {
        diagnostic = diagnostic.label(join.span, "some of its branches end at this join");
    }
    match joins.len().checked_sub(MOST) {
        Some(n_more @ 1..) => diagnostic.note(format!("and {n_more} more")),
        Some(0) | None => diagnostic,
    }
});
