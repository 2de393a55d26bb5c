use std::io;

use crate::diagnostics::{Diagnostic, code, message};

code!("H0001", unreadable_file, ["E0700"]);

/// A file or folder that was named, or that belongs to the application, cannot be read.
pub(crate) struct UnreadableFile<'a> {
    /// As given or found.
    pub(crate) path: String,
    pub(crate) error: &'a io::Error,
}

message!(UnreadableFile<'_>, |path, error| {
    match error.kind() {
        io::ErrorKind::NotFound => {
            Diagnostic::for_path(&CODE, path, "there is no such file or folder")
                .help("check the spelling; a relative path starts at the current folder")
        }
        io::ErrorKind::IsADirectory => {
            Diagnostic::for_path(&CODE, path, "this is a folder, where a file is needed")
                .help("name a file in it")
        }
        // The reason is in the error, which hpdlc itself has created.
        io::ErrorKind::Unsupported => Diagnostic::for_path(&CODE, path, error.to_string())
            .help("put a file in its place, or name the file that is meant"),
        io::ErrorKind::PermissionDenied => {
            Diagnostic::for_path(&CODE, path, "the file may not be read")
                .note(error.to_string())
                .help("give yourself the right to read it (`chmod u+r`), or run hpdlc as its owner")
        }
        _ => Diagnostic::for_path(&CODE, path, "the file cannot be read").note(error.to_string()),
    }
});
