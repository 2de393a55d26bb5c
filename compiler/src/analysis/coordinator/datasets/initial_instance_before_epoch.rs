use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0710", initial_instance_before_epoch, ["E1021"]);

/// A dataset begins before 1970.
pub(super) struct InitialInstanceBeforeEpoch {
    pub(super) place: Span,
}

message!(InitialInstanceBeforeEpoch, |place| {
    Diagnostic::new(&CODE, place, "the initial instance is before 1970")
        .label(place, "Oozie takes none before 1970-01-01T00:00Z")
});
