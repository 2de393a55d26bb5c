use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    driver::embedded::Secret,
};

pub(crate) static LINT: Lint = Lint {
    name: "embedded_secrets",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("embedded_secrets.md"),
};

/// A file with a secret goes into the executable.
pub(crate) struct EmbeddedSecret {
    /// As given or found.
    pub(crate) path: String,
    pub(crate) secret: Secret,
}

impl IntoDiagnostic for EmbeddedSecret {
    fn into_diagnostic(self) -> Diagnostic {
        let EmbeddedSecret { path, secret } = self;
        let note = match secret {
            Secret::KeyFile => "its ending is that of files with keys".to_owned(),
            Secret::PrivateKey => "it holds a private key".to_owned(),
            Secret::Value { name, line } => format!("line {line} gives `{name}` a value"),
        };
        Diagnostic::for_path(
            &LINT,
            path,
            "this file holds a secret and is embedded in the executable",
        )
        .note(note)
        .note("whoever can read the executable can read the file")
        .help("name the file in `.hpdlignore`, and give what it holds when a job starts: `-c FILE`, `-D NAME=VALUE`, or a path outside the application")
    }
}
