use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0114", invalid_character, ["E0700", "E0701", "E0803"]);

/// A character that XML 1.0 does not allow.
pub(super) struct InvalidCharacter {
    pub(super) character: char,
    pub(super) span: Span,
}

message!(InvalidCharacter, |character, span| {
    let number = u32::from(character);
    let diagnostic = Diagnostic::new(&CODE, span, format!("invalid character U+{number:04X}"))
        .label(
            span,
            "XML 1.0 does not allow this character, not even as a reference",
        );
    if character == '\0' {
        diagnostic.help(
            "remove it; many of them are the mark of a file in UTF-16, to be converted to UTF-8",
        )
    } else {
        diagnostic.help("remove it")
    }
});
