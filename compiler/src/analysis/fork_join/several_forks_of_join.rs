use super::Named;
use crate::diagnostics::{Code, Diagnostic, IntoDiagnostic, Level};

pub(super) static CODE: Code = Code {
    id: "H0308",
    name: "several_forks_of_join",
    level: Level::Error,
    oozie: &["E0758", "E0730"],
    explanation: include_str!("several_forks_of_join.md"),
};

/// How many forks are labelled.
const MOST: usize = 5;

/// Branches of different forks reach one join.
pub(super) struct SeveralForks {
    pub(super) join: Named,
    /// Two at least.
    pub(super) forks: Vec<Named>,
}

impl IntoDiagnostic for SeveralForks {
    fn into_diagnostic(self) -> Diagnostic {
        let SeveralForks { join, mut forks } = self;
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
    }
}
