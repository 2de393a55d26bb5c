use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0605", too_few_distcp_arguments, ["JA018"]);

/// A `distcp` action that names no source or no target.
pub(super) struct TooFewDistcpArguments {
    pub(super) n_arguments: usize,
    /// The name in the body's start tag.
    pub(super) place: Span,
}

message!(TooFewDistcpArguments, |n_arguments, place| {
    let label = match n_arguments {
        0 => "there is no `arg` at all",
        _ => "there is one `arg`",
    };
    Diagnostic::new(&CODE, place, "`distcp` without a source and a target")
        .label(place, label)
        .help_xml("name both in `arg` elements of their own, the target last")
});
