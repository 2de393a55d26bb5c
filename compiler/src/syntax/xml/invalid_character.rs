use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
    syntax::xml::OOZIE_CODES,
};

pub(super) static CODE: Code = Code {
    id: "H0114",
    name: "invalid_character",
    level: Level::Error,
    oozie: OOZIE_CODES,
    explanation: include_str!("invalid_character.md"),
};

/// A character that XML 1.0 has no place for.
pub(super) struct InvalidCharacter {
    pub(super) character: char,
    pub(super) span: Span,
}

impl IntoDiagnostic for InvalidCharacter {
    fn into_diagnostic(self) -> Diagnostic {
        let InvalidCharacter { character, span } = self;
        let number = u32::from(character);
        let diagnostic = Diagnostic::new(&CODE, span, format!("invalid character U+{number:04X}"))
            .label(
                span,
                "XML 1.0 does not allow this character, not even as a reference",
            );
        if character == '\0' {
            diagnostic.help("remove it; many of them are the mark of a file in UTF-16, to be converted to UTF-8")
        } else {
            diagnostic.help("remove it")
        }
    }
}
