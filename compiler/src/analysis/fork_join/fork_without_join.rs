use super::NamedSpan;
use crate::diagnostics::{Diagnostic, code, message};

code!("H0305", fork_without_join, ["E0733", "E0730"]);

/// No branch of a fork reaches a join.
pub(super) struct ForkWithoutJoin {
    pub(super) fork: NamedSpan,
}

message!(ForkWithoutJoin, |fork| {
    Diagnostic::new(
        &CODE,
        fork.span,
        format!("fork `{}` has no join", fork.name),
    )
    .label(fork.span, "every branch of this fork ends at a `kill`")
    .help_xml("let at least one branch lead to a `join` of this fork")
});
