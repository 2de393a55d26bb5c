use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(super) static CODE: Code = Code {
    id: "H0605",
    name: "too_few_distcp_arguments",
    level: Level::Error,
    oozie: &["JA018"],
    explanation: include_str!("too_few_distcp_arguments.md"),
};

/// A `distcp` action that names no source or no target.
pub(super) struct TooFewDistcpArguments {
    pub(super) n_arguments: usize,
    /// The name in the body's start tag.
    pub(super) place: Span,
}

impl IntoDiagnostic for TooFewDistcpArguments {
    fn into_diagnostic(self) -> Diagnostic {
        let TooFewDistcpArguments { n_arguments, place } = self;
        let label = match n_arguments {
            0 => "there is no `arg` at all",
            _ => "there is one `arg`",
        };
        Diagnostic::new(&CODE, place, "`distcp` without a source and a target")
            .label(place, label)
            .help("name both in `arg` elements of their own, the target last")
    }
}
