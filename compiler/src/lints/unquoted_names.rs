use crate::{
    diagnostics::{Applicability, Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, unquoted_names);

/// A name without quotes, which is read as a property.
pub(crate) struct UnquotedName {
    pub(crate) place: Span,
    /// As it is written.
    pub(crate) name: String,
    pub(crate) meant: MeantName,
}

/// What the name probably is.
pub(crate) enum MeantName {
    /// A node of the workflow, which is at this place.
    Node(Span),
    /// The name of a property, for this function.
    Property(String),
    /// A key of the data of an action.
    Key,
    /// An event of the coordinator, which is at this place.
    Event(Span),
    /// `yyyy-MM-dd`
    DatePattern,
    /// `DAY`
    TimeUnit,
}

message!(UnquotedName, |place, name, meant| {
    let is_name = !matches!(meant, MeantName::DatePattern | MeantName::TimeUnit);
    let label = match &meant {
        MeantName::Node(_) => "read as a property, whose value is the name of a node".to_owned(),
        MeantName::Property(function) => {
            format!("the name that `{function}` gets is the value of property `{name}`")
        }
        MeantName::Key => format!("the key is the value of property `{name}`"),
        MeantName::Event(_) => "read as a property, whose value is the name of an event".to_owned(),
        MeantName::DatePattern => "read as properties, and not as a date pattern".to_owned(),
        MeantName::TimeUnit => "read as a property, and not as a unit".to_owned(),
    };
    let diagnostic =
        Diagnostic::new(&LINT, place, format!("`{name}` has no quotes")).label(place, label);
    let diagnostic = match meant {
        MeantName::Node(node) => diagnostic.label(node, "the node of this name"),
        MeantName::Event(event) => diagnostic.label(event, "the event of this name"),
        MeantName::Property(_) | MeantName::Key | MeantName::DatePattern | MeantName::TimeUnit => {
            diagnostic
        }
    };
    diagnostic.suggest(
        place,
        match is_name {
            true => "names are texts, in quotes",
            false => "it is a text, in quotes",
        },
        format!("'{name}'"),
        Applicability::MaybeIncorrect,
    )
});
