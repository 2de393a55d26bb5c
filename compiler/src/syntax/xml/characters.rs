//! The characters that XML 1.0 (fifth edition) allows, and the values of references.

use crate::syntax::xml::is_xml_space;

/// The first character of `text` that no XML document may contain, and its offset.
pub(super) fn first_invalid_character(text: &str) -> Option<(usize, char)> {
    // Only control characters and U+FFFE, U+FFFF (which start with 0xEF) can be wrong in a `str`.
    let suspicious = |byte: u8| ((byte < 0x20) & !is_xml_space(byte)) | (byte == 0xef);
    // Blocks without an early exit inside, which the compiler vectorizes.
    let mut blocks = text.as_bytes().chunks(1024);
    if !blocks.any(|block| {
        block
            .iter()
            .fold(false, |found, byte| found | suspicious(*byte))
    }) {
        return None;
    }
    text.char_indices().find(|(_, c)| !is_character(*c))
}

/// Production `Char`.
pub(super) fn is_character(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        _ => c >= ' ',
    }
}

/// What is wrong with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum XmlNameFault {
    /// There is none.
    Empty,
    /// An invalid character, and its offset.
    Character(usize, char),
    /// A colon at the start or the end, or a second one, and its offset.
    Colon(usize),
}

/// Splits a name, as written, into prefix and local part.
pub(super) fn split_name(name: &str) -> Result<(Option<&str>, &str), XmlNameFault> {
    if is_plain(name) {
        return Ok((None, name));
    }
    if name.is_empty() {
        return Err(XmlNameFault::Empty);
    }
    let (prefix, local) = match name.find(':') {
        Some(colon) => {
            let (prefix, local) = (&name[..colon], &name[colon + 1..]);
            if prefix.is_empty() || local.is_empty() {
                return Err(XmlNameFault::Colon(colon));
            }
            check_part(prefix, 0)?;
            (Some(prefix), local)
        }
        None => (None, name),
    };
    check_part(local, name.len() - local.len())?;
    Ok((prefix, local))
}

/// Whether it is a name of ASCII letters, digits and hyphens without a prefix, as nearly all are.
fn is_plain(name: &str) -> bool {
    name.bytes().next().is_some_and(is_plain_first) && name.bytes().all(is_plain_byte)
}

/// Whether a plain name may start with that byte.
pub(super) fn is_plain_first(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// Whether that byte may be in a plain name.
pub(super) fn is_plain_byte(byte: u8) -> bool {
    IS_PLAIN[usize::from(byte)]
}

/// The bytes of plain names. A table, because every byte of every name is looked up.
static IS_PLAIN: [bool; 256] = {
    let mut is_plain = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        let ascii = byte as u8;
        is_plain[byte] = ascii.is_ascii_alphanumeric() || matches!(ascii, b'-' | b'.' | b'_');
        byte += 1;
    }
    is_plain
};

fn check_part(part: &str, start: usize) -> Result<(), XmlNameFault> {
    let fault = part.char_indices().find(|(index, c)| match index {
        0 => !is_name_start(*c),
        _ => !is_name_character(*c),
    });
    match fault {
        Some((index, ':')) => Err(XmlNameFault::Colon(start + index)),
        Some((index, c)) => Err(XmlNameFault::Character(start + index, c)),
        None => Ok(()),
    }
}

/// Production `NameStartChar` without the colon.
fn is_name_start(c: char) -> bool {
    matches!(c,
        'a'..='z' | 'A'..='Z' | '_'
        | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{2ff}' | '\u{370}'..='\u{37d}'
        | '\u{37f}'..='\u{1fff}' | '\u{200c}'..='\u{200d}' | '\u{2070}'..='\u{218f}' | '\u{2c00}'..='\u{2fef}'
        | '\u{3001}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}' | '\u{10000}'..='\u{effff}')
}

/// Production `NameChar` without the colon.
fn is_name_character(c: char) -> bool {
    is_name_start(c)
        || matches!(c, '-' | '.' | '0'..='9' | '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}')
}

/// Why a reference is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReferenceFault {
    /// An `&` that does not start a reference.
    LoneAmpersand,
    /// A name that is not one of the five predefined entities.
    UnknownEntity,
    /// A number that is not an XML character.
    InvalidNumber,
}

/// The character of the reference with this text between `&` and `;`.
pub(super) fn resolve_reference(name: &str) -> Result<char, ReferenceFault> {
    match name {
        "lt" => return Ok('<'),
        "gt" => return Ok('>'),
        "amp" => return Ok('&'),
        "apos" => return Ok('\''),
        "quot" => return Ok('"'),
        _ => {}
    }
    if let Some(number) = name.strip_prefix('#') {
        let (digits, radix) = match number.strip_prefix('x') {
            Some(digits) => (digits, 16),
            None => (number, 10),
        };
        // `from_str_radix` alone would accept a sign.
        if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
            return Err(ReferenceFault::InvalidNumber);
        }
        return u32::from_str_radix(digits, radix)
            .ok()
            .and_then(char::from_u32)
            .filter(|c| is_character(*c))
            .ok_or(ReferenceFault::InvalidNumber);
    }
    match split_name(name) {
        Ok(_) => Err(ReferenceFault::UnknownEntity),
        Err(_) => Err(ReferenceFault::LoneAmpersand),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_at_the_colon() {
        assert_eq!(split_name("workflow-app"), Ok((None, "workflow-app")));
        assert_eq!(split_name("sla:info"), Ok((Some("sla"), "info")));
        assert_eq!(split_name("élan.2·"), Ok((None, "élan.2·")));
    }

    #[test]
    fn faults_of_names_are_placed() {
        for (name, fault) in [
            ("", XmlNameFault::Empty),
            ("1a", XmlNameFault::Character(0, '1')),
            ("a/", XmlNameFault::Character(1, '/')),
            ("a\u{a0}b", XmlNameFault::Character(1, '\u{a0}')),
            ("-a", XmlNameFault::Character(0, '-')),
            ("p:1", XmlNameFault::Character(2, '1')),
            (":a", XmlNameFault::Colon(0)),
            ("a:", XmlNameFault::Colon(1)),
            ("a:b:c", XmlNameFault::Colon(3)),
        ] {
            assert_eq!(split_name(name), Err(fault), "{name:?}");
        }
    }

    #[test]
    fn references_stand_for_characters() {
        for (name, expected) in [
            ("lt", Ok('<')),
            ("apos", Ok('\'')),
            ("#65", Ok('A')),
            ("#x1D11E", Ok('𝄞')),
            ("#xa", Ok('\n')),
            ("#0", Err(ReferenceFault::InvalidNumber)),
            ("#x1F", Err(ReferenceFault::InvalidNumber)),
            ("#xD800", Err(ReferenceFault::InvalidNumber)),
            ("#xFFFF", Err(ReferenceFault::InvalidNumber)),
            ("#x110000", Err(ReferenceFault::InvalidNumber)),
            ("#99999999999", Err(ReferenceFault::InvalidNumber)),
            ("#+65", Err(ReferenceFault::InvalidNumber)),
            ("#X41", Err(ReferenceFault::InvalidNumber)),
            ("#", Err(ReferenceFault::InvalidNumber)),
            ("nbsp", Err(ReferenceFault::UnknownEntity)),
            ("LT", Err(ReferenceFault::UnknownEntity)),
            (" b", Err(ReferenceFault::LoneAmpersand)),
            ("", Err(ReferenceFault::LoneAmpersand)),
        ] {
            assert_eq!(resolve_reference(name), expected, "{name:?}");
        }
    }

    #[test]
    fn control_characters_and_non_characters_are_found() {
        assert_eq!(
            first_invalid_character("tab\t line\r\n é 𝄞 \u{7f}\u{ef00}\u{fffd}"),
            None
        );
        assert_eq!(first_invalid_character("é\u{1}"), Some((2, '\u{1}')));
        assert_eq!(first_invalid_character("a\u{fffe}"), Some((1, '\u{fffe}')));
        assert_eq!(first_invalid_character("\0"), Some((0, '\0')));
    }
}
