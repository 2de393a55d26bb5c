use crate::{
    diagnostics::{Applicability, Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, unpadded_dates);

/// A date without its leading zeros.
pub(crate) struct UnpaddedDate {
    pub(crate) place: Span,
    pub(crate) padded: String,
}

message!(UnpaddedDate, |place, padded| {
    Diagnostic::new(&LINT, place, "a date without its leading zeros")
        .label(place, "Oozie reads it, other programs may not")
        .suggest(
            place,
            "with all digits",
            padded,
            Applicability::MachineApplicable,
        )
});
