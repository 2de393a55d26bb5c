use super::NamedSpan;
use crate::diagnostics::{Diagnostic, code, message};

code!(
    "H0308",
    several_forks_of_join,
    ["E0758", "E0757", "E0742", "E0743", "E0737", "E0730"]
);

/// How many forks are labelled.
const MOST: usize = 5;

/// Branches of different forks reach one join.
pub(super) struct SeveralForks {
    pub(super) join: NamedSpan,
    /// At least two.
    pub(super) forks: Vec<NamedSpan>,
}

message!(SeveralForks, |join, forks| {
    let mut forks = forks;
    forks.sort_by(|left, right| left.name.cmp(&right.name));
    let mut diagnostic = Diagnostic::new(
        &CODE,
        join.span,
        format!(
            "join `{}` is reached from {} different forks",
            join.name,
            forks.len()
        ),
    )
    .label(join.span, "a join closes exactly one fork");
    for fork in forks.iter().take(MOST) {
        diagnostic = diagnostic.label(fork.span, "branches of this fork end at the join");
    }
    match forks.len().checked_sub(MOST) {
        Some(n_more @ 1..) => diagnostic.note(format!("and {n_more} more")),
        Some(0) | None => diagnostic,
    }
});
