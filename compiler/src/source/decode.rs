//! Decodes bytes to text, for the driver.

/// Why bytes are not valid UTF-8, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotUtf8 {
    /// The first byte that is not UTF-8.
    pub offset: u32,
    /// Its line, from 1.
    pub line: u32,
    /// Its column in characters, from 1.
    pub column: u32,
    /// The bytes with U+FFFD for what is not UTF-8. Equal to the file before `offset`, so that a
    /// [`SourceMap`](super::SourceMap) may contain it for a message to point into.
    pub lossy_text: String,
    /// Whether the file starts like UTF-16: with the byte order mark, or with a `<` of two bytes.
    pub is_utf16: bool,
}

/// How documents in UTF-16 start, in both byte orders.
const UTF_16_STARTS: [&[u8]; 4] = [b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<"];

/// The number of bytes of a file that are searched for the encoding in an XML declaration.
const DECLARATION_LENGTH: usize = 200;

/// The characters of the bytes from 0x80 to 0x9F in Windows-1252; undefined ones are control characters, as in Latin-1.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The text of a file. A byte order mark is kept: spans count the bytes of the raw file. A file that is not UTF-8 and
/// declares Latin-1 or Windows-1252 is decoded as such; spans then count the bytes of the text.
///
/// # Errors
///
/// [`NotUtf8`] with the place of the first byte that is not UTF-8.
pub fn decode(bytes: Vec<u8>) -> Result<String, NotUtf8> {
    let is_utf16 = UTF_16_STARTS.iter().any(|start| bytes.starts_with(start));
    // UTF-16 without a byte order mark is valid UTF-8 with a zero in every other byte.
    let (bytes, n_valid) = match String::from_utf8(bytes) {
        Ok(text) if !is_utf16 => return Ok(text),
        Ok(text) => (text.into_bytes(), 0),
        Err(error) => {
            if let Some(text) = as_declared(error.as_bytes()) {
                return Ok(text);
            }
            let n_valid = error.utf8_error().valid_up_to();
            (error.into_bytes(), if is_utf16 { 0 } else { n_valid })
        }
    };
    let offset = u32::try_from(n_valid).unwrap_or(u32::MAX);
    let lossy_text = String::from_utf8_lossy(&bytes).into_owned();
    let position = super::LineIndex::new(&lossy_text).position(&lossy_text, offset);
    Err(NotUtf8 {
        offset,
        line: position.line,
        column: position.column,
        lossy_text,
        is_utf16,
    })
}

/// The text of bytes that declare a supported single-byte encoding.
fn as_declared(bytes: &[u8]) -> Option<String> {
    let start = &bytes[..bytes.len().min(DECLARATION_LENGTH)];
    let start = start.strip_prefix(b"<?xml")?;
    let end = start.windows(2).position(|pair| pair == b"?>")?;
    let declaration = std::str::from_utf8(&start[..end]).ok()?;
    let (_, rest) = declaration.split_once("encoding")?;
    let rest = rest.trim_start().strip_prefix('=')?.trim_start();
    let quote = rest.chars().next().filter(|quote| "'\"".contains(*quote))?;
    let name = rest[1..].split(quote).next()?.to_ascii_lowercase();
    let is_windows = match name.as_str() {
        "windows-1252" | "cp1252" => true,
        "iso-8859-1" | "iso8859-1" | "iso_8859-1" | "latin1" => false,
        _ => return None,
    };
    let character = |byte: &u8| match byte {
        0x80..=0x9f if is_windows => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(*byte),
    };
    Some(bytes.iter().map(character).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf8_stays_as_it_is() {
        let text = "\u{feff}<a>é\r\n</a>";
        assert_eq!(decode(text.as_bytes().to_vec()).as_deref(), Ok(text));
    }

    #[track_caller]
    fn check(bytes: &[u8], offset: u32, line: u32, column: u32, is_utf16: bool) {
        let error = decode(bytes.to_vec()).expect_err("the bytes are not UTF-8");
        assert_eq!(
            (error.offset, error.line, error.column, error.is_utf16),
            (offset, line, column, is_utf16)
        );
        let before = usize::try_from(offset).expect("small");
        assert_eq!(error.lossy_text.as_bytes()[..before], bytes[..before]);
    }

    #[test]
    fn declared_encodings_of_one_byte_are_read() {
        for (bytes, expected) in [
            (
                &b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9\x80</a>"[..],
                "<?xml version='1.0' encoding='ISO-8859-1'?><a>é\u{80}</a>",
            ),
            (
                b"<?xml version=\"1.0\" encoding = \"Windows-1252\" ?><a>\xe9\x80</a>",
                "<?xml version=\"1.0\" encoding = \"Windows-1252\" ?><a>é€</a>",
            ),
        ] {
            assert_eq!(decode(bytes.to_vec()).as_deref(), Ok(expected));
        }
        for refused in [
            &b"<?xml version='1.0' encoding='UTF-8'?><a>\xe9</a>"[..],
            b"<?xml version='1.0' encoding='windows-1251'?><a>\xe9</a>",
            b"<?xml version='1.0'?><a encoding='ISO-8859-1'>\xe9</a>",
            b"<?xml encoding=?>\xe9",
            b"<?xml encoding='ISO-8859-1'\xe9",
        ] {
            assert!(decode(refused.to_vec()).is_err());
        }
    }

    #[test]
    fn first_bad_byte_is_placed() {
        check(b"<a>\n<b c='\xe9'/>", 10, 2, 7, false);
        check("é\u{e9}".as_bytes()[..3].as_ref(), 2, 1, 2, false);
        check(b"\xff\xfe<\0a\0", 0, 1, 1, true);
    }
}
