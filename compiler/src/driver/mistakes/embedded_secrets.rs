use crate::{
    diagnostics::{Diagnostic, lint, message},
    driver::embedded::Secret,
};

lint!(Warn, embedded_secrets);

/// A file with a secret goes into the executable.
pub(crate) struct EmbeddedSecret {
    /// As given or found.
    pub(crate) path: String,
    pub(crate) secret: Secret,
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
    .note("whoever can read the executable can read the file")
    .help("name the file in `.hpdlignore`, and give what it holds when a job starts: `-c FILE`, `-D NAME=VALUE`, or a path outside the application")
});
