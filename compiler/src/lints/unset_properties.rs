use crate::{
    diagnostics::{Applicability, Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, unset_properties);

/// How many uses are labelled.
const MOST: usize = 5;

/// `wf:conf` of a property that no job has.
pub(crate) struct UnsetProperty {
    pub(crate) name: String,
    /// The function, with its prefix.
    pub(crate) conf: &'static str,
    /// The names with their quotes, in order; at least one.
    pub(crate) places: Vec<Span>,
    /// A similar property that exists.
    pub(crate) similar: Option<String>,
}

message!(UnsetProperty, |name, conf, places, similar| {
    let first = places[0];
    let mut diagnostic =
        Diagnostic::new(&LINT, first, format!("nothing defines property `{name}`"))
            .label(first, format!("`{conf}` gives nothing in every job"));
    for place in places.iter().skip(1).take(MOST - 1) {
        diagnostic = diagnostic.label(*place, "and here");
    }
    match similar {
        Some(similar) => diagnostic.suggest(
            first,
            "there is a property with a similar name",
            format!("'{similar}'"),
            Applicability::MaybeIncorrect,
        ),
        None => diagnostic.help_xml(format!(
            "define `{name}` in a properties file given with `-c`, in `parameters`, or in `config-default.xml`; or ask with `empty`"
        )),
    }
});
