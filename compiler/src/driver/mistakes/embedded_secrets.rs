use crate::diagnostics::{Diagnostic, lint, message};

lint!(Warn, embedded_secrets);

/// A file with a secret is embedded in the executable.
pub(crate) struct EmbeddedSecret {
    /// As given or found.
    pub(crate) path: String,
    pub(crate) secret: Secret,
}

/// What a file contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Secret {
    /// By the file's extension: keys in a format of their own.
    KeyFile,
    /// As text.
    PrivateKey,
    /// A name that denotes a secret, with a value.
    Value { name: String, line: usize },
}

message!(EmbeddedSecret, |path, secret| {
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
    .note("anyone who can read the executable can read the file")
    .help("name the file in `.hpdlignore`, and give what it holds when a job starts: `-c FILE`, `-D NAME=VALUE`, or a path outside the application")
});
