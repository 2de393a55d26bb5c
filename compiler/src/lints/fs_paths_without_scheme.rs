use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(crate) static LINT: Lint = Lint {
    name: "fs_paths_without_scheme",
    default_level: LintLevel::Warn,
    oozie: &["FS001"],
    explanation: include_str!("fs_paths_without_scheme.md"),
};

/// A path of an `fs` action that no file system is named for.
pub(crate) struct FsPathWithoutScheme {
    pub(crate) place: Span,
    /// `setrep`, which does not look at the action's `name-node`.
    pub(crate) is_setrep: bool,
}

impl IntoDiagnostic for FsPathWithoutScheme {
    fn into_diagnostic(self) -> Diagnostic {
        let FsPathWithoutScheme { place, is_setrep } = self;
        let found = |message: &str| {
            Diagnostic::new(&LINT, place, message).label(place, "the action fails here with FS001")
        };
        if is_setrep {
            found("the path of `setrep` has no scheme")
                .note("`setrep` does not look at `name-node`")
                .help("write the path as a URI, such as `${nameNode}/data`")
        } else {
            found("the path has no scheme, and the action no `name-node`").help(
                "name the file system in `name-node` or in `global`, or write the path as a URI, such as `file:/data`",
            )
        }
    }
}
