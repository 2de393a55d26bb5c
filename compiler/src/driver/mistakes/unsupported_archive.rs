use crate::diagnostics::{Code, Diagnostic, IntoDiagnostic, Level};

pub(crate) static CODE: Code = Code {
    id: "H0890",
    name: "unsupported_archive",
    level: Level::Error,
    oozie: &[],
    explanation: include_str!("unsupported_archive.md"),
};

/// A ZIP of an application.
pub(crate) struct UnsupportedArchive {
    /// As given.
    pub(crate) path: String,
}

impl IntoDiagnostic for UnsupportedArchive {
    fn into_diagnostic(self) -> Diagnostic {
        Diagnostic::for_path(
            &CODE,
            self.path,
            "a ZIP of an application cannot be read yet",
        )
        .help("unpack it (`unzip -d app FILE`) and name the folder")
    }
}
