use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, repeated_joins, ["E0744"]);

/// A fork whose join is the start of more than one of its branches.
pub(crate) struct RepeatedJoin {
    pub(crate) join: String,
    pub(crate) fork: String,
    pub(crate) first: Span,
    pub(crate) second: Span,
}

message!(RepeatedJoin, |join, fork, first, second| {
    Diagnostic::new(
        &LINT,
        second,
        format!("fork `{fork}` leads to its join `{join}` more than once"),
    )
    .label(second, "a second branch without nodes")
    .label(first, "the first one")
    .note("here both arrive at once; in Oozie, the job waits at the join for ever")
    .help("remove one of the paths: a branch without nodes does nothing")
});
