use crate::{
    diagnostics::{Applicability, Diagnostic, code, message},
    source::Span,
};

code!("H0706", invalid_timezone, ["E1003"]);

/// A time zone name that Java does not know.
pub(super) struct InvalidTimezone {
    pub(super) place: Span,
    pub(super) name: String,
    /// A similar name.
    pub(super) meant: Option<String>,
    /// Where the value is defined, if in another file.
    pub(super) origin: Option<Span>,
}

message!(InvalidTimezone, |place, name, meant, origin| {
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
        Some(meant) => diagnostic.help(format!(
            "there is a time zone with a similar name: `{meant}`"
        )),
        None => diagnostic.help(
            "write a place such as `America/Los_Angeles`, `UTC`, or an offset such as `GMT+05:30`",
        ),
    }
});
