use crate::{
    diagnostics::{Applicability, Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, misspelt_data_keys);

/// A key of the data of a `shell` action whose script prints one with nearly the same name.
pub(crate) struct MisspeltDataKey {
    pub(crate) key: String,
    /// The key, with its quotes if it has them.
    pub(crate) place: Span,
    pub(crate) is_quoted: bool,
    pub(crate) node: String,
    pub(crate) node_place: Span,
    pub(crate) printed: String,
    /// The file, the number of the line, and the line.
    pub(crate) line: (String, usize, String),
}

message!(MisspeltDataKey, |key,
                           place,
                           is_quoted,
                           node,
                           node_place,
                           printed,
                           line| {
    let (file, number, text) = line;
    let written = if is_quoted {
        format!("'{printed}'")
    } else {
        printed.clone()
    };
    Diagnostic::new(
        &LINT,
        place,
        format!("the data of `{node}` has no `{key}`: its script prints `{printed}`"),
    )
    .label(place, "null, or an empty text")
    .label(node_place, format!("runs `{file}`"))
    .note(format!("line {number} of `{file}` is `{text}`"))
    .suggest(
        place,
        "read the key that is printed",
        written,
        Applicability::MaybeIncorrect,
    )
});
