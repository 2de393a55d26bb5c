use crate::{
    diagnostics::{Applicability, Diagnostic, code, message},
    source::Span,
};

code!("H0707", invalid_control, ["E1003"]);

/// A value in `controls` that Oozie does not accept.
pub(super) struct InvalidControl {
    /// The value, or the element where that is empty.
    pub(super) place: Span,
    /// The element.
    pub(super) control: &'static str,
    pub(super) expected: &'static str,
    pub(super) found: String,
    pub(super) similar: Option<String>,
    /// Where the value is defined, if in another file.
    pub(super) origin: Option<Span>,
}

message!(InvalidControl, |place,
                          control,
                          expected,
                          found,
                          similar,
                          origin| {
    let mut diagnostic = Diagnostic::new(&CODE, place, format!("invalid `{control}`")).label(
        place,
        if found.is_empty() {
            format!("expected {expected}, found nothing")
        } else {
            format!("expected {expected}, found `{found}`")
        },
    );
    if let Some(origin) = origin {
        diagnostic = diagnostic.label(origin, "the value is given here");
    }
    match similar {
        Some(similar) if origin.is_none() => diagnostic.suggest(
            place,
            "there is a similar value",
            similar,
            Applicability::MaybeIncorrect,
        ),
        Some(similar) => diagnostic.help(format!("there is a similar value: `{similar}`")),
        None if found.is_empty() => diagnostic.help_xml(format!(
            "remove the element for the default, or give {expected}"
        )),
        None => diagnostic,
    }
});
