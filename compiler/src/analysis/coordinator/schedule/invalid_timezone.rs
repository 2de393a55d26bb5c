use crate::{
    diagnostics::{Applicability, Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(in crate::analysis) static CODE: Code = Code {
    id: "H0706",
    name: "invalid_timezone",
    level: Level::Error,
    oozie: &["E1003"],
    explanation: include_str!("invalid_timezone.md"),
};

/// A name of a time zone that Java does not know.
pub(super) struct InvalidTimezone {
    pub(super) place: Span,
    pub(super) name: String,
    /// A name like it.
    pub(super) meant: Option<String>,
    /// Where the value is given, in another file.
    pub(super) origin: Option<Span>,
}

impl IntoDiagnostic for InvalidTimezone {
    fn into_diagnostic(self) -> Diagnostic {
        let InvalidTimezone {
            place,
            name,
            meant,
            origin,
        } = self;
        let mut diagnostic = Diagnostic::new(&CODE, place, format!("unknown time zone `{name}`"))
            .label(place, "no time zone has this name");
        if let Some(origin) = origin {
            diagnostic = diagnostic.label(origin, "the value is given here");
        }
        match meant {
            Some(meant) if origin.is_none() => diagnostic.suggest(
                place,
                "there is a time zone with a similar name",
                meant,
                Applicability::MaybeIncorrect,
            ),
            Some(meant) => diagnostic.help(format!("there is a time zone with a similar name: `{meant}`")),
            None => diagnostic.help("write a place such as `America/Los_Angeles`, `UTC`, or an offset such as `GMT+05:30`"),
        }
    }
}
