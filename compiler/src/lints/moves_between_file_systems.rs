use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, moves_between_file_systems, ["FS007"]);

/// A `move` whose target is on another file system.
pub(crate) struct MoveBetweenFileSystems {
    pub(crate) source: Span,
    pub(crate) target: Span,
    /// The scheme and the authority of the source, and those of the target.
    pub(crate) from: String,
    pub(crate) to: String,
}

message!(MoveBetweenFileSystems, |source, target, from, to| {
    Diagnostic::new(
        &LINT,
        target,
        format!("a `move` from `{from}` to `{to}` always fails"),
    )
    .label(target, "on another file system")
    .label(source, "moved from here")
    .note("the action ends in ERROR with FS007")
    .help("copy between file systems with a `distcp` action, then delete the source")
});
