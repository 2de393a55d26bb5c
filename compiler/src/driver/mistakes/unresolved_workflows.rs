use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, unresolved_workflows);

/// A document that a coordinator or a bundle starts was not found at compile time.
pub(crate) struct UnresolvedWorkflow {
    /// The `app-path`, as written.
    pub(crate) path: String,
    /// What the given properties make of it, if that is another text.
    pub(crate) resolved: Option<String>,
    /// Its text.
    pub(crate) span: Span,
    pub(crate) named: AppPathTarget,
}

/// What an `app-path` refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AppPathTarget {
    Workflow,
    Coordinator,
}

message!(UnresolvedWorkflow, |path, resolved, span, named| {
    let (what, then) = match named {
        AppPathTarget::Workflow => (
            "the workflow of the coordinator",
            "the executable will not hold it: its actions end in FAILED unless an executable is registered for it",
        ),
        AppPathTarget::Coordinator => (
            "a coordinator of the bundle",
            "the executable will not hold it: the bundle cannot start it",
        ),
    };
    let help = if resolved.is_none() && path.contains("${") {
        "give the properties that it needs (`-c job.properties` or `-D name=value`; they only find it), and say where \
         its files are with `--map URI=DIR`"
    } else {
        "say where its files are: `--map URI=DIR`, or `[map]` in `hpdl.toml`"
    };
    let label = match resolved {
        Some(resolved) => format!("no document was found for this, which is `{resolved}`"),
        None => "no document was found for this".to_owned(),
    };
    Diagnostic::new(&LINT, span, format!("{what} is not known at compile time"))
        .label(span, label)
        .note(then)
        .help(help)
});
