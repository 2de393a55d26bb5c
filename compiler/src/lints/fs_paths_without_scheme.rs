use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, fs_paths_without_scheme, ["FS001"]);

/// A path of an `fs` action for which no file system is specified.
pub(crate) struct FsPathWithoutScheme {
    pub(crate) place: Span,
    /// `setrep`, which ignores the action's `name-node`.
    pub(crate) is_setrep: bool,
}

message!(FsPathWithoutScheme, |place, is_setrep| {
    let found = |message: &str| {
        Diagnostic::new(&LINT, place, message).label(place, "the action fails here with FS001")
    };
    if is_setrep {
        found("the path of `setrep` has no scheme")
            .note("`setrep` does not look at `name-node`")
            .help("write the path as a URI, such as `${nameNode}/data`")
    } else {
        found("the path has no scheme, and the action no `name-node`").help_xml(
            "name the file system in `name-node` or in `global`, or write the path as a URI, such as `file:/data`",
        )
    }
});
