use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0722", no_enabled_coordinator, ["E1318"]);

/// No coordinator of a bundle would start.
pub(super) struct NoEnabledCoordinator {
    /// The name in the root's start tag.
    pub(super) place: Span,
    pub(super) disabled: Vec<Span>,
}

message!(NoEnabledCoordinator, |place, disabled| {
    let mut diagnostic =
        Diagnostic::new(&CODE, place, "all coordinators of the bundle are disabled")
            .label(place, "nothing would start");
    for &span in disabled.iter().take(5) {
        diagnostic = diagnostic.label(span, "only `true` enables");
    }
    diagnostic
});
