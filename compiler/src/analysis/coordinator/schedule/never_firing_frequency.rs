use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(in crate::analysis) static CODE: Code = Code {
    id: "H0703",
    name: "never_firing_frequency",
    level: Level::Error,
    oozie: &["E1003", "E0803"],
    explanation: include_str!("never_firing_frequency.md"),
};

/// Why there is no time.
pub(super) enum NeverFiring {
    /// There is none at all.
    Never,
    /// The first one comes at the end or after it.
    AfterEnd { first: String },
    /// One of the two fields of days has no day in any year.
    ImpossibleHalf,
}

/// A cron expression without a time between start and end.
pub(super) struct NeverFiringFrequency {
    /// The frequency.
    pub(super) place: Span,
    pub(super) problem: NeverFiring,
    /// The end, where that is what comes too early.
    pub(super) end: Option<Span>,
}

impl IntoDiagnostic for NeverFiringFrequency {
    fn into_diagnostic(self) -> Diagnostic {
        let NeverFiringFrequency {
            place,
            problem,
            end,
        } = self;
        let (message, label) = match problem {
            NeverFiring::Never => (
                "the frequency never fires",
                "no year has such a time".to_owned(),
            ),
            NeverFiring::AfterEnd { first } => (
                "the frequency does not fire before the end",
                format!("fires for the first time at {first}"),
            ),
            NeverFiring::ImpossibleHalf => (
                "a field of days never fires",
                "one of the two fields of days has no day in any year".to_owned(),
            ),
        };
        let diagnostic = Diagnostic::new(&CODE, place, message).label(place, label);
        match end {
            Some(end) => diagnostic.label(end, "the end, which is exclusive"),
            None => {
                diagnostic.help("write `?` in the field of days that has none, or correct the day")
            }
        }
    }
}
