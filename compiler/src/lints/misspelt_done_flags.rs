use crate::{
    diagnostics::{Applicability, Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, misspelt_done_flags);

/// The usual done flag, which jobs of Hadoop write.
pub(crate) const USUAL: &str = "_SUCCESS";

/// A done flag that is [`USUAL`] with a slip.
pub(crate) struct MisspeltDoneFlag {
    pub(crate) flag: String,
    pub(crate) place: Span,
}

message!(MisspeltDoneFlag, |flag, place| {
    Diagnostic::new(
        &LINT,
        place,
        format!("instances are awaited until they have `{flag}`, and jobs write `{USUAL}`"),
    )
    .label(place, "hardly any job writes this file")
    .suggest(
        place,
        "the file is called",
        USUAL,
        Applicability::MaybeIncorrect,
    )
});
