use crate::{
    diagnostics::{Applicability, Diagnostic, code, message},
    source::Span,
};

code!("H0716", undefined_event, ["E1004", "E0803"]);

/// A function refers to an event that does not exist.
pub(super) struct UndefinedEvent {
    /// The argument.
    pub(super) place: Span,
    /// With its prefix.
    pub(super) function: String,
    pub(super) name: String,
    /// The element that it refers to.
    pub(super) element: &'static str,
    /// An event of the other kind with the same name.
    pub(super) other: Option<Span>,
    pub(super) similar: Option<String>,
}

message!(UndefinedEvent, |place,
                          function,
                          name,
                          element,
                          other,
                          similar| {
    let diagnostic = Diagnostic::new(
        &CODE,
        place,
        format!("`{function}` asks about undefined event `{name}`"),
    )
    .label(place, format!("no `{element}` has this name"));
    if let Some(other) = other {
        return diagnostic.label(other, "this event is of the other kind");
    }
    match similar {
        Some(similar) => diagnostic.suggest(
            place,
            format!("there is a `{element}` with a similar name"),
            format!("'{similar}'"),
            Applicability::MaybeIncorrect,
        ),
        None => diagnostic.note("the function takes the name of an event, not of a dataset"),
    }
});
