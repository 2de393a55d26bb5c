use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0703", never_firing_frequency, ["E1003", "E0803"]);

/// Why the expression never fires.
pub(super) enum NeverFiring {
    /// There is none at all.
    Never,
    /// The first time is at or after the end.
    AfterEnd { first: String, end: Span },
    /// One of the two day fields matches no day in any year.
    ImpossibleHalf,
}

/// A cron expression that never fires between start and end.
pub(super) struct NeverFiringFrequency {
    /// The frequency.
    pub(super) place: Span,
    pub(super) problem: NeverFiring,
}

message!(NeverFiringFrequency, |place, problem| {
    match problem {
        NeverFiring::Never => Diagnostic::new(&CODE, place, "the frequency never fires")
            .label(place, "no year has such a time"),
        NeverFiring::AfterEnd { first, end } => {
            Diagnostic::new(&CODE, place, "the frequency does not fire before the end")
                .label(place, format!("fires for the first time at {first}"))
                .label(end, "the end, which is exclusive")
        }
        NeverFiring::ImpossibleHalf => Diagnostic::new(&CODE, place, "a field of days never fires")
            .label(
                place,
                "one of the two fields of days has no day in any year",
            )
            .help("write `?` in the field of days that has none, or correct the day"),
    }
});
