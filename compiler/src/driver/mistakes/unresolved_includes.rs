use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(crate) static LINT: Lint = Lint {
    name: "unresolved_includes",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("unresolved_includes.md"),
};

/// A file of datasets that a coordinator includes was not found or not read at compile time.
pub(crate) struct UnresolvedInclude {
    /// The path, evaluated as far as it goes.
    pub(crate) path: String,
    /// Its text.
    pub(crate) span: Span,
}

impl IntoDiagnostic for UnresolvedInclude {
    fn into_diagnostic(self) -> Diagnostic {
        let UnresolvedInclude { path, span } = self;
        Diagnostic::new(&LINT, span, "an included file is not known at compile time")
            .label(span, format!("`{path}` cannot be read here"))
            .note("its datasets are not checked; the job reads the file when it is submitted, and is refused without it")
            .help("say where it is with `--map URI=DIR`, or `[map]` in `hpdl.toml`, or correct the path")
    }
}
