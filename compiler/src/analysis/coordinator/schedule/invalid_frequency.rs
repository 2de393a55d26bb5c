use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(in crate::analysis) static CODE: Code = Code {
    id: "H0701",
    name: "invalid_frequency",
    level: Level::Error,
    oozie: &["E1003", "E1004"],
    explanation: include_str!("invalid_frequency.md"),
};

/// A frequency is neither a number nor a cron expression, or no number that can be used.
pub(super) struct InvalidFrequency {
    /// The text, or the part of it that fails.
    pub(super) place: Span,
    /// Lowercase, a phrase about the value.
    pub(super) problem: String,
    pub(super) help: Option<String>,
    /// Where the value is given, in another file.
    pub(super) origin: Option<Span>,
}

impl IntoDiagnostic for InvalidFrequency {
    fn into_diagnostic(self) -> Diagnostic {
        let InvalidFrequency {
            place,
            problem,
            help,
            origin,
        } = self;
        let mut diagnostic =
            Diagnostic::new(&CODE, place, "invalid frequency").label(place, problem);
        if let Some(origin) = origin {
            diagnostic = diagnostic.label(origin, "the value is given here");
        }
        match help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }
}
