use hpdlc_core::configuration::ConfigurationError;

use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(crate) static CODE: Code = Code {
    id: "H0006",
    name: "invalid_job_configuration",
    level: Level::Error,
    oozie: &["E0803"],
    explanation: include_str!("invalid_job_configuration.md"),
};

/// A file that starts as XML is no Hadoop configuration.
pub(crate) struct InvalidJobConfiguration<'a> {
    pub(crate) span: Span,
    pub(crate) error: &'a ConfigurationError,
}

impl IntoDiagnostic for InvalidJobConfiguration<'_> {
    fn into_diagnostic(self) -> Diagnostic {
        Diagnostic::new(&CODE, self.span, self.error.cause())
            .label(self.span, "here")
            .help(self.error.next_step())
    }
}
