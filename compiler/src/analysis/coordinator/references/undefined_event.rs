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
    /// The event of the dataset with this name.
    pub(super) of_dataset: Option<String>,
    pub(super) similar: Option<String>,
}

message!(UndefinedEvent, |place,
                          function,
                          name,
                          element,
                          other,
                          of_dataset,
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
    if let Some(event) = of_dataset {
        return diagnostic.suggest(
            place,
            format!("`{name}` is a dataset, and its event is `{event}`"),
            format!("'{event}'"),
            Applicability::MaybeIncorrect,
        );
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
