use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0719", coordinator_argument_count, ["E1004", "E1310"]);

/// A function is called with more or fewer arguments than it takes.
pub(super) struct CoordinatorArgumentCount {
    pub(super) place: Span,
    /// With its prefix.
    pub(super) name: String,
    pub(super) expected: usize,
    pub(super) found: usize,
}

message!(CoordinatorArgumentCount, |place, name, expected, found| {
    let arguments = if expected == 1 {
        "argument"
    } else {
        "arguments"
    };
    Diagnostic::new(
        &CODE,
        place,
        format!("expected {expected} {arguments} for `{name}`, found {found}"),
    )
    .label(place, format!("takes {expected} {arguments}"))
});
