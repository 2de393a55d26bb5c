use crate::{
    diagnostics::{Applicability, Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
    syntax::xml::OOZIE_CODES,
};

pub(super) static CODE: Code = Code {
    id: "H0102",
    name: "unsupported_encoding",
    level: Level::Error,
    oozie: OOZIE_CODES,
    explanation: include_str!("unsupported_encoding.md"),
};

/// The document declares an encoding that it is not read in.
pub(super) struct UnsupportedEncoding<'a> {
    pub(super) encoding: &'a str,
    /// The declared name, without its quotes.
    pub(super) span: Span,
}

impl IntoDiagnostic for UnsupportedEncoding<'_> {
    fn into_diagnostic(self) -> Diagnostic {
        let UnsupportedEncoding { encoding, span } = self;
        let name = encoding.to_ascii_lowercase();
        // A text that has been read as UTF-8 cannot be one of these, which take two or four bytes for every character.
        let is_impossible = [
            "utf-16",
            "utf16",
            "utf-32",
            "utf32",
            "ucs-",
            "iso-10646-ucs",
        ]
        .iter()
        .any(|wide| name.starts_with(wide));
        let applicability = if is_impossible {
            Applicability::MachineApplicable
        } else {
            Applicability::MaybeIncorrect
        };
        Diagnostic::new(&CODE, span, format!("unsupported encoding `{encoding}`"))
            .label(span, "the file is read as UTF-8")
            .suggest(
                span,
                "the text is valid UTF-8, so this can be declared",
                "UTF-8",
                applicability,
            )
    }
}
