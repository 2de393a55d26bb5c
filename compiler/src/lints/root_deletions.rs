use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, root_deletions);

/// A `delete` of the root of a file system, or of all that is in it.
pub(crate) struct RootDeletion {
    pub(crate) place: Span,
    pub(crate) is_pattern: bool,
    /// Where the value is defined, if elsewhere.
    pub(crate) origin: Option<Span>,
}

message!(RootDeletion, |place, is_pattern, origin| {
    let (headline, label) = match is_pattern {
        true => (
            "this deletes everything on the file system",
            "matches all that is in the root",
        ),
        false => (
            "this path is the root of the file system",
            "it cannot be deleted: the action fails here",
        ),
    };
    let diagnostic = Diagnostic::new(&LINT, place, headline)
        .label(place, label)
        .help("name the folder that is meant");
    match origin {
        Some(origin) => diagnostic.label(origin, "the value is given here"),
        None => diagnostic,
    }
});
