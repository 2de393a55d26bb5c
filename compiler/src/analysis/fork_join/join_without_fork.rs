use super::Named;
use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(super) static CODE: Code = Code {
    id: "H0307",
    name: "join_without_fork",
    level: Level::Error,
    oozie: &["E0742", "E0730"],
    explanation: include_str!("join_without_fork.md"),
};

/// A join can be reached where no fork is open.
pub(super) struct JoinWithoutFork {
    pub(super) join: Named,
    /// The transition by which it is reached so.
    pub(super) arrival: Option<Span>,
    /// A fork that it closes on other ways.
    pub(super) fork: Option<Named>,
}

impl IntoDiagnostic for JoinWithoutFork {
    fn into_diagnostic(self) -> Diagnostic {
        let JoinWithoutFork {
            join,
            arrival,
            fork,
        } = self;
        let message = match &fork {
            Some(fork) => format!(
                "join `{}` can be reached outside of fork `{}`",
                join.name, fork.name
            ),
            None => format!("join `{}` has no fork", join.name),
        };
        let mut diagnostic = Diagnostic::new(&CODE, join.span, message)
            .label(join.span, "a join ends the branches of a fork");
        if let Some(arrival) = arrival {
            diagnostic = diagnostic.label(arrival, "reached from here without an open fork");
        }
        if let Some(fork) = fork {
            diagnostic = diagnostic.label(fork.span, "the fork that it closes otherwise");
        }
        diagnostic
    }
}
