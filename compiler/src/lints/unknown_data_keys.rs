use crate::{
    diagnostics::{Applicability, Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, unknown_data_keys);

/// An expression reads data of an action of an extension by a key that its data does not have.
pub(crate) struct UnknownDataKey {
    pub(crate) key: String,
    /// With its quotes, if it has any.
    pub(crate) place: Span,
    pub(crate) is_quoted: bool,
    pub(crate) node: String,
    pub(crate) node_place: Span,
    /// What the node runs, such as `acme::count`.
    pub(crate) function: String,
    pub(crate) similar: Option<String>,
    /// All keys.
    pub(crate) known: &'static [String],
}

message!(UnknownDataKey, |key,
                          place,
                          is_quoted,
                          node,
                          node_place,
                          function,
                          similar,
                          known| {
    let diagnostic = Diagnostic::new(
        &LINT,
        place,
        format!("the data of node `{node}` has no key `{key}`"),
    )
    .label(place, "the value is always empty")
    .label(node_place, format!("it runs `{function}`"));
    match similar {
        Some(similar) => diagnostic.suggest(
            place,
            format!("did you mean `{similar}`?"),
            match is_quoted {
                true => format!("'{similar}'"),
                false => similar.clone(),
            },
            Applicability::MaybeIncorrect,
        ),
        None if known.is_empty() => diagnostic.note("it gives no data"),
        None => diagnostic.note(format!("it has `{}`", known.join("`, `"))),
    }
});
