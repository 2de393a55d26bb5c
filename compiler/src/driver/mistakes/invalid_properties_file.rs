use hpdlc_core::properties::MalformedEscape;

use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(crate) static CODE: Code = Code {
    id: "H0005",
    name: "invalid_properties_file",
    level: Level::Error,
    oozie: &[],
    explanation: include_str!("invalid_properties_file.md"),
};

/// A properties file has a `\u` without four hexadecimal digits.
pub(crate) struct InvalidPropertiesFile<'a> {
    pub(crate) span: Span,
    pub(crate) error: &'a MalformedEscape,
}

impl IntoDiagnostic for InvalidPropertiesFile<'_> {
    fn into_diagnostic(self) -> Diagnostic {
        Diagnostic::new(
            &CODE,
            self.span,
            format!("malformed escape `{}`", self.error.escape),
        )
        .label(self.span, "four hexadecimal digits follow `\\u`")
        .note("Java refuses the whole file for this")
        .help("write `\\\\u` where a backslash and a `u` are meant, as in a Windows path")
    }
}
