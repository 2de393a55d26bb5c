use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0721", duplicate_coordinator, ["E1304", "E1310"]);

/// Two coordinators of a bundle have the same name.
pub(super) struct DuplicateCoordinator {
    pub(super) name: String,
    pub(super) first: Span,
    pub(super) second: Span,
}

message!(DuplicateCoordinator, |name, first, second| {
    Diagnostic::new(
        &CODE,
        second,
        format!("the bundle has two coordinators `{name}`"),
    )
    .label(second, "named again here")
    .label(first, "first named here")
});
