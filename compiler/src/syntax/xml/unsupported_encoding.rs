use crate::{
    diagnostics::{Applicability, Diagnostic, code, message},
    source::Span,
};

code!("H0102", unsupported_encoding);

/// The document declares an unsupported encoding.
pub(super) struct UnsupportedEncoding<'a> {
    pub(super) encoding: &'a str,
    /// The declared name, without its quotes.
    pub(super) span: Span,
}

message!(UnsupportedEncoding<'_>, |encoding, span| {
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
});
