use crate::{
    diagnostics::{Diagnostic, code, message},
    source::{FileId, NotUtf8, Span},
};

code!("H0101", not_utf8);

/// A file is not UTF-8.
#[derive(Debug)]
pub struct NotUtf8Text<'a> {
    /// Loaded with [`NotUtf8::lossy_text`].
    pub file: FileId,
    pub error: &'a NotUtf8,
}

message!(NotUtf8Text<'_>, |file, error| {
    // The loaded text has one replacement character here, or one half of UTF-16.
    let marked = usize::try_from(error.offset)
        .ok()
        .and_then(|offset| error.lossy_text.get(offset..)?.chars().next());
    let length = marked.map_or(0, char::len_utf8);
    let end = error
        .offset
        .saturating_add(u32::try_from(length).unwrap_or(0));
    let span = Span::new(file, error.offset, end);
    let diagnostic = Diagnostic::new(&CODE, span, "the file is not UTF-8");
    if error.is_utf16 {
        let label = match marked {
            Some(char::REPLACEMENT_CHARACTER) => "byte order mark of UTF-16",
            Some(_) | None => "starts as UTF-16 does",
        };
        diagnostic
            .label(span, label)
            .help("convert it: `iconv -f UTF-16 -t UTF-8`, and declare no other encoding")
    } else {
        diagnostic
            .label(span, "this byte is not UTF-8")
            .help("convert it: `iconv -f ISO-8859-1 -t UTF-8` if it was written in Latin-1")
    }
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        diagnostics::{Expectation, IntoDiagnostic, check_explanation},
        source::decode,
    };

    /// `\xHH` in an example stands for one byte, since the explanation itself must be UTF-8.
    fn bytes_of(example: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut parts = example.split("\\x");
        bytes.extend_from_slice(parts.next().unwrap_or("").as_bytes());
        for part in parts {
            let (digits, rest) = part.split_at(2);
            bytes.push(u8::from_str_radix(digits, 16).unwrap());
            bytes.extend_from_slice(rest.as_bytes());
        }
        bytes
    }

    #[test]
    fn explanation_keeps_its_promises() {
        check_explanation(CODE.id, CODE.explanation, |example| {
            let bytes = bytes_of(example.text);
            assert_eq!(
                bytes.len() == example.text.len(),
                example.expectation == Expectation::Right
            );
            match decode(bytes) {
                Ok(_) => Vec::new(),
                Err(_) => vec![CODE.id.to_owned()],
            }
        })
        .unwrap();
    }

    #[test]
    fn replacement_character_of_the_stand_in_is_marked() {
        let error = decode(b"<a>\xe9</a>".to_vec()).unwrap_err();
        let diagnostic = NotUtf8Text {
            file: FileId(0),
            error: &error,
        }
        .into_diagnostic();
        let span = diagnostic.span().unwrap();
        assert_eq!(&error.lossy_text[span.range()], "\u{fffd}");
        assert_eq!(diagnostic.labels[0].text, "this byte is not UTF-8");
        assert!(diagnostic.labels[0].primary);
    }

    #[test]
    fn utf16_is_recognized() {
        let error = decode(b"\xff\xfe<\0a\0/\0>\0".to_vec()).unwrap_err();
        let diagnostic = NotUtf8Text {
            file: FileId(0),
            error: &error,
        }
        .into_diagnostic();
        assert_eq!(diagnostic.labels[0].text, "byte order mark of UTF-16");
        for bytes in [b"<\0a\0/\0>\0", b"\0<\0a\0/\0>"] {
            let error = decode(bytes.to_vec()).unwrap_err();
            let diagnostic = NotUtf8Text {
                file: FileId(0),
                error: &error,
            }
            .into_diagnostic();
            assert_eq!(diagnostic.labels[0].text, "starts as UTF-16 does");
        }
    }
}
