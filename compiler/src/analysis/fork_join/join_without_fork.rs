use super::NamedSpan;
use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0307", join_without_fork, ["E0742", "E0730"]);

/// A join can be reached where no fork is open.
pub(super) struct JoinWithoutFork {
    pub(super) join: NamedSpan,
    /// The transition by which it is reached without a fork.
    pub(super) arrival: Option<Span>,
    /// A fork that it closes on other paths.
    pub(super) fork: Option<NamedSpan>,
}

message!(JoinWithoutFork, |join, arrival, fork| {
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
});
