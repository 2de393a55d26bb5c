use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, unresolved_sub_workflows);

/// The application of a `sub-workflow` is not known at compile time.
pub(crate) struct UnresolvedSubWorkflow {
    /// The `app-path` text.
    pub(crate) span: Span,
    pub(crate) cause: Cause,
}

/// Why it is not known.
pub(crate) enum Cause {
    /// The text cannot be evaluated with the given properties; the message says why.
    Unevaluated(String),
    /// The text depends on what only a running job knows; the message says what.
    NeedsJob(String),
    /// No mapping covers the URI.
    Unmapped { uri: String },
    /// The URI leads to a folder without a `workflow.xml`.
    Missing {
        uri: String,
        path: String,
        /// A name beside the path that is nearly its own.
        near: Option<String>,
    },
}

message!(UnresolvedSubWorkflow, |span, cause| {
    let headline = match &cause {
        Cause::Missing { .. } => "the application of a `sub-workflow` is not there",
        Cause::Unmapped { .. } => "it is not known where the application of a `sub-workflow` is",
        Cause::Unevaluated(_) | Cause::NeedsJob(_) => {
            "the application of a `sub-workflow` is not known at compile time"
        }
    };
    let diagnostic = Diagnostic::new(&LINT, span, headline);
    let diagnostic = match cause {
        Cause::Unevaluated(why) => diagnostic
            .label(span, "this has no value yet")
            .note(why)
            .help("give the properties that it needs: `-c job.properties` or `-D name=value`; they only find the child"),
        Cause::NeedsJob(why) => diagnostic
            .label(span, "only a running job knows this")
            .note(why)
            .help("name the application by properties that are known when it is compiled"),
        Cause::Unmapped { uri } => {
            let help = format!("say where its files are: `--map {}=DIR`, or `[map]` in `hpdl.toml`", prefix(&uri));
            diagnostic.label(span, format!("this is `{uri}`")).help(help)
        }
        Cause::Missing { uri, path, near } => {
            let diagnostic = diagnostic
                .label(span, format!("this is `{uri}`"))
                .note(format!("there is no `workflow.xml` at `{path}`"));
            let diagnostic = match near {
                Some(near) => diagnostic.help(format!("a name beside it is similar: `{near}`")),
                None => diagnostic,
            };
            diagnostic.help("correct the path, put the application there, or map its URI with `--map` or `[map]` in `hpdl.toml`")
        }
    };
    diagnostic.note("at run time the action will end in ERROR, unless another executable was registered for it (`register --as`)")
});

/// A prefix that is useful to map: the URI without its last part.
fn prefix(uri: &str) -> &str {
    let end = uri.trim_end_matches('/');
    match end.rsplit_once('/') {
        Some((before, _)) if !before.is_empty() && !before.ends_with('/') => before,
        _ => end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mapped_prefix_is_the_parent() {
        assert_eq!(prefix("hdfs://nn/apps/report"), "hdfs://nn/apps");
        assert_eq!(prefix("hdfs://nn/apps/report/"), "hdfs://nn/apps");
        assert_eq!(prefix("hdfs://nn"), "hdfs://nn");
        assert_eq!(prefix("/apps"), "/apps");
    }
}
