use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0302", duplicate_node, ["E0705"]);

/// Two nodes with the same name.
pub(super) struct DuplicateNode {
    pub(super) name: String,
    pub(super) second: Span,
    pub(super) first: Span,
}

message!(DuplicateNode, |name, second, first| {
    Diagnostic::new(
        &CODE,
        second,
        format!("node `{name}` is defined more than once"),
    )
    .label(second, "defined again here")
    .label(first, "first defined here")
    .help("give one of them another name")
});
