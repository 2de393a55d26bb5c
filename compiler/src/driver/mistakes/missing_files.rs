use crate::{
    diagnostics::{Applicability, Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, missing_files, ["JA008"]);

/// A file that an action refers to is not in the application's folder.
pub(crate) struct MissingFile {
    /// The element that refers to it.
    pub(crate) element: &'static str,
    pub(crate) path: String,
    /// The folder, as the user knows it.
    pub(crate) folder: String,
    pub(crate) cause: Cause,
    pub(crate) span: Span,
    pub(crate) near: Option<NearFile>,
}

/// A file of the folder with nearly the same name.
pub(crate) struct NearFile {
    /// Relative to the folder.
    pub(crate) path: String,
    /// Whether it can be written in place of the whole text.
    pub(crate) is_whole: bool,
}

/// Why an executable does not have the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cause {
    /// The folder does not have it.
    Missing,
    /// It is not below the folder.
    Outside,
    /// It is in the folder, but such files are not embedded.
    NotEmbedded,
}

message!(MissingFile, |element, path, folder, cause, span, near| {
    let (title, label) = match cause {
        Cause::Missing => ("is not there", format!("`{path}` is not in `{folder}`")),
        Cause::Outside => ("is not embedded", format!("`{path}` is outside `{folder}`")),
        Cause::NotEmbedded => (
            "is not embedded",
            format!("executables are built without files such as `{path}`"),
        ),
    };
    let diagnostic = Diagnostic::new(&LINT, span, format!("the file of `{element}` {title}"))
        .label(span, label)
        .note("the action will end in ERROR: a relative path is looked for in the files that the executable holds");
    match (cause, near) {
        (Cause::Missing, Some(near)) => {
            let found = format!("the folder has `{}`", near.path);
            if near.is_whole {
                diagnostic.suggest(span, found, near.path, Applicability::MaybeIncorrect)
            } else {
                diagnostic.help(found)
            }
        }
        (Cause::Missing, None) => diagnostic
            .help("put it there or correct the path; where it is added later, `-A missing_files` or a line in `.hpdlignore` says so"),
        (Cause::Outside, _) => diagnostic
            .help("copy or link it into the folder, or give a path with a scheme, such as `hdfs://` or `file://`"),
        (Cause::NotEmbedded, _) => diagnostic
            .note("left out are `*.properties` at the top of the folder, hidden files, copies that editors leave, and private keys")
            .help("move it to a folder such as `conf/` or rename it; of the copies and keys, a line `!NAME` in `.hpdlignore` embeds one"),
    }
});
