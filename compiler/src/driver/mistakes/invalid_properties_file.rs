use hpdlc_core::properties::MalformedEscape;

use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0005", invalid_properties_file);

/// A properties file has a `\u` without four hexadecimal digits.
pub(crate) struct InvalidPropertiesFile<'a> {
    pub(crate) span: Span,
    pub(crate) error: &'a MalformedEscape,
}

message!(InvalidPropertiesFile<'_>, |span, error| {
    Diagnostic::new(&CODE, span, format!("malformed escape `{}`", error.escape))
        .label(span, "four hexadecimal digits follow `\\u`")
        .note("Java refuses the whole file for this")
        .help("write `\\\\u` where a backslash and a `u` are meant, as in a Windows path")
});
