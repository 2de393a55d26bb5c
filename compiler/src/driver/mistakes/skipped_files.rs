use crate::diagnostics::{Diagnostic, lint, message};

lint!(Warn, skipped_files);

/// A file of the application's folder is not embedded.
pub(crate) struct SkippedFile {
    /// As given or found.
    pub(crate) path: String,
    pub(crate) cause: Cause,
}

/// Why it is not embedded.
pub(crate) enum Cause {
    /// A symbolic link to outside the folder.
    OutsideLink { target: String },
    /// A dangling symbolic link, or one to a folder that contains the link.
    UselessLink { target: String },
    /// A pipe, socket or device.
    Special,
    /// A name that is not UTF-8.
    Name,
}

message!(SkippedFile, |path, cause| {
    let diagnostic =
        Diagnostic::for_path(&LINT, path, "this file is not embedded in the executable");
    match cause {
        Cause::OutsideLink { target } => diagnostic
            .note(format!(
                "it is a symbolic link to `{target}`, outside the application's folder"
            ))
            .help("put a copy in the place of the link, or name the link in `.hpdlignore`"),
        Cause::UselessLink { target } => diagnostic
            .note(format!(
                "it is a symbolic link to `{target}`, where there is nothing that could be embedded"
            ))
            .help("correct the link, or name it in `.hpdlignore`"),
        Cause::Special => diagnostic
            .note("it is a pipe, a socket, or a device")
            .help("name it in `.hpdlignore`"),
        Cause::Name => diagnostic.note("its name is not UTF-8").help("rename it"),
    }
});
