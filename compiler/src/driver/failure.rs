//! Failures of the environment: a file that cannot be written, no Rust on this machine. Neither a mistake of the user nor a
//! bug.

use std::{fmt, io, path::Path};

/// What failed, why, and what to do about it. Ends hpdlc with exit code 2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Lowercase, one phrase, with the file's name.
    pub message: String,
    /// Facts, the cause first.
    pub notes: Vec<String>,
    /// Next steps.
    pub help: Vec<String>,
}

impl Failure {
    pub fn new(message: impl Into<String>) -> Failure {
        Failure {
            message: message.into(),
            notes: Vec::new(),
            help: Vec::new(),
        }
    }

    /// An operation on `path` that the system rejected: `doing` is the verb, as in "cannot write `x`".
    pub fn io(doing: &str, path: &Path, error: &io::Error) -> Failure {
        let failure =
            Failure::new(format!("cannot {doing} `{}`", path.display())).note(error.to_string());
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                failure.help("make room on the disk and repeat the command")
            }
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                failure.help("choose another place, or change the permissions of this one")
            }
            _ => failure,
        }
    }

    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Failure {
        self.notes.push(text.into());
        self
    }

    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Failure {
        self.help.push(text.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message)?;
        for note in &self.notes {
            write!(f, "\n  = note: {}", note.replace('\n', "\n          "))?;
        }
        for help in &self.help {
            write!(f, "\n  = help: {}", help.replace('\n', "\n          "))?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_and_help_stand_below_the_message() {
        let failure = Failure::io(
            "write",
            Path::new("out/daily"),
            &io::Error::from(io::ErrorKind::StorageFull),
        )
        .note("two\nlines");
        assert_eq!(
            failure.to_string(),
            "error: cannot write `out/daily`\n  = note: no storage space\n  = note: two\n          lines\n  \
             = help: make room on the disk and repeat the command"
        );
    }
}
