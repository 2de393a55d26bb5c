use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, unresolved_includes);

/// A file of datasets that a coordinator includes was not found or not read at compile time.
pub(crate) struct UnresolvedInclude {
    /// The path, evaluated as far as possible.
    pub(crate) path: String,
    /// Its text.
    pub(crate) span: Span,
}

message!(UnresolvedInclude, |path, span| {
    Diagnostic::new(&LINT, span, "an included file is not known at compile time")
        .label(span, format!("`{path}` cannot be read here"))
        .note("its datasets are not checked; the job reads the file when it is submitted, and is refused without it")
        .help("say where it is with `--map URI=DIR`, or `[map]` in `hpdl.toml`, or correct the path")
});
