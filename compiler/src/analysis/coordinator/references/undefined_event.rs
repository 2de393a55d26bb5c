use crate::{
    diagnostics::{Applicability, Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(in crate::analysis) static CODE: Code = Code {
    id: "H0716",
    name: "undefined_event",
    level: Level::Error,
    oozie: &["E1004", "E0803"],
    explanation: include_str!("undefined_event.md"),
};

/// A function asks about an event that does not exist.
pub(super) struct UndefinedEvent {
    /// The argument.
    pub(super) place: Span,
    /// With its prefix.
    pub(super) function: String,
    pub(super) name: String,
    /// What it asks for.
    pub(super) element: &'static str,
    /// An event of the other kind with the name.
    pub(super) other: Option<Span>,
    pub(super) similar: Option<String>,
}

impl IntoDiagnostic for UndefinedEvent {
    fn into_diagnostic(self) -> Diagnostic {
        let UndefinedEvent {
            place,
            function,
            name,
            element,
            other,
            similar,
        } = self;
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
    }
}
