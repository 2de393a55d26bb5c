use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "fs_paths_without_scheme",
    default_level: LintLevel::Allow,
    oozie: &["FS001"],
    explanation: include_str!("fs_paths_without_scheme.md"),
};

/// A path of an `fs` action that no file system is named for.
pub(crate) struct FsPathWithoutScheme {
    pub(crate) place: Span,
}

impl IntoDiagnostic for FsPathWithoutScheme {
    fn into_diagnostic(self) -> Diagnostic {
        let FsPathWithoutScheme { place } = self;
        Diagnostic::new(
            &LINT,
            place,
            "the path has no scheme, and the action no `name-node`",
        )
        .label(place, "the action fails here")
        .help(
            "name the file system in `name-node`, or write the path as a URI, such as `file:/data`",
        )
    }
}
