use super::NamedSpan;
use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0310", repeated_fork_path, ["E0744", "E0737", "E0730"]);

/// A fork starts the same node twice.
pub(super) struct RepeatedForkPath {
    pub(super) fork: NamedSpan,
    pub(super) target: String,
    pub(super) first: Span,
    pub(super) second: Span,
}

message!(RepeatedForkPath, |fork, target, first, second| {
    Diagnostic::new(
        &CODE,
        second,
        format!("fork `{}` starts `{target}` more than once", fork.name),
    )
    .label(second, "started again here")
    .label(first, "first started here")
    .label(fork.span, "in this fork")
});
