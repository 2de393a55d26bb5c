use hpdlc_core::configuration::ConfigurationError;

use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0006", invalid_job_configuration, ["E0803"]);

/// A file that starts as XML is not a Hadoop configuration.
pub(crate) struct InvalidJobConfiguration<'a> {
    pub(crate) span: Span,
    pub(crate) error: &'a ConfigurationError,
}

message!(InvalidJobConfiguration<'_>, |span, error| {
    Diagnostic::new(&CODE, span, error.cause())
        .label(span, "here")
        .help(error.next_step())
});
