use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(crate) static LINT: Lint = Lint {
    name: "missing_files",
    default_level: LintLevel::Warn,
    oozie: &["JA008"],
    explanation: include_str!("missing_files.md"),
};

/// A file that an action names is not in the application's folder.
pub(crate) struct MissingFile {
    /// The element that names it.
    pub(crate) element: &'static str,
    pub(crate) path: String,
    /// The folder, as the user knows it.
    pub(crate) folder: String,
    pub(crate) span: Span,
}

impl IntoDiagnostic for MissingFile {
    fn into_diagnostic(self) -> Diagnostic {
        let MissingFile {
            element,
            path,
            folder,
            span,
        } = self;
        Diagnostic::new(&LINT, span, format!("the file of `{element}` is not there"))
            .label(span, format!("`{path}` is not in `{folder}`"))
            .note("the action will end in ERROR: a relative path is looked for in the application's folder")
            .help("put it there or correct the path; where it is added later, `-A missing_files` or a line in `.hpdlignore` says so")
    }
}
