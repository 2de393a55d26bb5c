//! Escapes: characters, predefined sets, and properties.

use super::{Flags, reader::Reader};

pub(super) enum Escape {
    Character(char),
    Set(CharacterSet),
    /// An assertion, a reference to a group, or an unknown escape.
    Other(char),
}

/// A set of characters.
pub(super) struct CharacterSet {
    /// The items between the brackets of a class.
    pub(super) items: String,
    pub(super) negated: bool,
}

/// A character, escaped so that it cannot be read as syntax.
pub(super) fn literal(character: char) -> String {
    if character.is_ascii_alphanumeric() {
        character.to_string()
    } else {
        format!("\\x{{{:X}}}", u32::from(character))
    }
}

/// Parses the part after a backslash.
pub(super) fn read(reader: &mut Reader, flags: Flags) -> Result<Escape, String> {
    let letter = reader
        .next()
        .ok_or("expected a character after `\\`, found the end")?;
    let character = match letter {
        't' => '\t',
        'n' => '\n',
        'r' => '\r',
        'f' => '\u{C}',
        'a' => '\u{7}',
        'e' => '\u{1B}',
        'c' => control(reader)?,
        '0' => octal(reader)?,
        'x' => hexadecimal(reader)?,
        'u' => utf16(reader)?,
        'd' | 'D' | 'w' | 'W' | 's' | 'S' | 'h' | 'H' | 'v' | 'V' => {
            return Ok(Escape::Set(CharacterSet {
                items: predefined(letter.to_ascii_lowercase(), flags).to_owned(),
                negated: letter.is_ascii_uppercase(),
            }));
        }
        'p' | 'P' => {
            let name = property_name(reader)?;
            return Ok(Escape::Set(CharacterSet {
                items: property(&name, flags)?,
                negated: letter == 'P',
            }));
        }
        '1'..='9' => return Ok(Escape::Other(letter)),
        _ if letter.is_ascii_alphabetic() => return Ok(Escape::Other(letter)),
        _ => letter,
    };
    Ok(Escape::Character(character))
}

fn predefined(letter: char, flags: Flags) -> &'static str {
    match (letter, flags.unicode_classes) {
        ('d', false) => "0-9",
        ('d', true) => r"\p{Nd}",
        ('w', false) => "a-zA-Z_0-9",
        ('w', true) => r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\x{200C}\x{200D}",
        ('s', false) => r"\x{20}\t\n\x{B}\f\r",
        ('s', true) => r"\p{White_Space}",
        ('h', _) => r"\x{20}\t\x{A0}\x{1680}\x{180E}\x{2000}-\x{200A}\x{202F}\x{205F}\x{3000}",
        // `v`
        _ => r"\n\x{B}\f\r\x{85}\x{2028}\x{2029}",
    }
}

/// `\cX`: the character 64 away.
fn control(reader: &mut Reader) -> Result<char, String> {
    reader
        .next()
        .and_then(|character| char::from_u32(u32::from(character) ^ 64))
        .ok_or_else(|| "expected a character after `\\c`".to_owned())
}

/// `\0n`, `\0nn`, `\0mnn` up to `\0377`
fn octal(reader: &mut Reader) -> Result<char, String> {
    let mut value = 0;
    let mut count = 0;
    while let Some(digit) = reader.special().and_then(|next| next.to_digit(8)) {
        if count == 3 || value * 8 + digit > 0o377 {
            break;
        }
        value = value * 8 + digit;
        count += 1;
        reader.advance();
    }
    match char::from_u32(value) {
        Some(character) if count > 0 => Ok(character),
        _ => Err("expected an octal digit after `\\0`".to_owned()),
    }
}

/// `\xhh`, `\x{h...}`
fn hexadecimal(reader: &mut Reader) -> Result<char, String> {
    let error = || "expected hexadecimal digits of a character after `\\x`".to_owned();
    if reader.special() != Some('{') {
        return digits(reader, 2).and_then(char::from_u32).ok_or_else(error);
    }
    reader.advance();
    let mut value: u32 = 0;
    let mut count = 0;
    loop {
        match reader.next() {
            Some('}') if count > 0 => break,
            Some(next) => {
                let digit = next.to_digit(16).ok_or_else(error)?;
                value = value
                    .checked_mul(16)
                    .and_then(|value| value.checked_add(digit))
                    .ok_or_else(error)?;
                count += 1;
            }
            None => return Err(error()),
        }
    }
    char::from_u32(value).ok_or_else(error)
}

/// `\uhhhh`, two of them for a character above U+FFFF.
fn utf16(reader: &mut Reader) -> Result<char, String> {
    let error = || "expected four hexadecimal digits of a character after `\\u`".to_owned();
    let first = digits(reader, 4).ok_or_else(error)?;
    if let Some(character) = char::from_u32(first) {
        return Ok(character);
    }
    if reader.special() == Some('\\') && reader.special_at(1) == Some('u') {
        reader.advance();
        reader.advance();
        let second = digits(reader, 4).ok_or_else(error)?;
        if (0xD800..0xDC00).contains(&first) && (0xDC00..0xE000).contains(&second) {
            let code = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
            return char::from_u32(code).ok_or_else(error);
        }
    }
    Err("half of a surrogate pair matches no character".to_owned())
}

fn digits(reader: &mut Reader, count: usize) -> Option<u32> {
    (0..count).try_fold(0, |value, _| {
        Some(value * 16 + reader.next()?.to_digit(16)?)
    })
}

/// `L` of `\pL`, or the part in the braces.
fn property_name(reader: &mut Reader) -> Result<String, String> {
    let mut name = String::new();
    match reader.next() {
        Some('{') => loop {
            match reader.next() {
                Some('}') => return Ok(name),
                Some(character) => name.push(character),
                None => return Err("expected `}` after the name of a property".to_owned()),
            }
        },
        Some(character) => {
            name.push(character);
            Ok(name)
        }
        None => Err("expected the name of a property after `\\p`".to_owned()),
    }
}

/// Java's general categories that fancy-regex has too.
const CATEGORIES: [&str; 36] = [
    "C", "Cc", "Cf", "Cn", "Co", "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn", "N",
    "Nd", "Nl", "No", "P", "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "S", "Sc", "Sk", "Sm", "So",
    "Z", "Zl", "Zp", "Zs",
];

/// The items of the class of `\p{name}`.
fn property(name: &str, flags: Flags) -> Result<String, String> {
    let unknown = || format!("the property `{name}` is unknown or not supported");
    if flags.ignore_case && is_about_case(name) {
        return Err(format!(
            "the property `{name}` is not supported with the flag `i`"
        ));
    }
    if let Some((key, value)) = name.split_once('=') {
        return match key.to_ascii_lowercase().as_str() {
            "sc" | "script" if is_word(value) => Ok(format!("\\p{{sc={value}}}")),
            "gc" | "general_category" => category(value).ok_or_else(unknown),
            _ => Err(unknown()),
        };
    }
    if let Some(java) = name.strip_prefix("java") {
        return java_method(java).map(str::to_owned).ok_or_else(unknown);
    }
    if let Some(rest) = name.strip_prefix("Is") {
        return binary(rest)
            .map(str::to_owned)
            .or_else(|| category(rest))
            .or_else(|| is_word(rest).then(|| format!("\\p{{sc={rest}}}")))
            .ok_or_else(unknown);
    }
    posix(name, flags.unicode_classes)
        .map(str::to_owned)
        .or_else(|| category(name))
        .ok_or_else(unknown)
}

fn is_word(value: &str) -> bool {
    !value.is_empty()
        && value
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// In newer Java, these match letters of either case with the flag `i`; in older versions they do not.
fn is_about_case(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["lower", "upper", "title", "lu", "ll", "lt"]
        .iter()
        .any(|part| name.contains(part))
}

fn category(name: &str) -> Option<String> {
    match name {
        "LC" => Some(r"\p{Lu}\p{Ll}\p{Lt}".to_owned()),
        "LD" => Some(r"\p{L}\p{Nd}".to_owned()),
        "L1" => Some(r"\x{0}-\x{FF}".to_owned()),
        "all" => Some(r"\x{0}-\x{10FFFF}".to_owned()),
        _ => CATEGORIES
            .contains(&name)
            .then(|| format!("\\p{{gc={name}}}")),
    }
}

fn posix(name: &str, unicode: bool) -> Option<&'static str> {
    Some(match (name, unicode) {
        ("ASCII", _) => r"\x{0}-\x{7F}",
        ("Lower", false) => "a-z",
        ("Lower", true) => r"\p{Lowercase}",
        ("Upper", false) => "A-Z",
        ("Upper", true) => r"\p{Uppercase}",
        ("Alpha", false) => "a-zA-Z",
        ("Alpha", true) => r"\p{Alphabetic}",
        ("Digit", false) => "0-9",
        ("Digit", true) => r"\p{Nd}",
        ("Alnum", false) => "a-zA-Z0-9",
        ("Alnum", true) => r"\p{Alphabetic}\p{Nd}",
        ("Space", false) => r"\x{20}\t\n\x{B}\f\r",
        ("Space", true) => r"\p{White_Space}",
        ("Punct", false) => r"\x{21}-\x{2F}\x{3A}-\x{40}\x{5B}-\x{60}\x{7B}-\x{7E}",
        ("Graph", false) => r"\x{21}-\x{7E}",
        ("Print", false) => r"\x{20}-\x{7E}",
        ("Blank", false) => r"\x{20}\t",
        ("Cntrl", false) => r"\x{0}-\x{1F}\x{7F}",
        ("XDigit", false) => "0-9a-fA-F",
        _ => return None,
    })
}

/// `Character.isLowerCase` and similar methods, without `Character.is`.
fn java_method(name: &str) -> Option<&'static str> {
    Some(match name {
        "LowerCase" => r"\p{Lowercase}",
        "UpperCase" => r"\p{Uppercase}",
        "TitleCase" => r"\p{Lt}",
        "Alphabetic" => r"\p{Alphabetic}",
        "Ideographic" => r"\p{Ideographic}",
        "Digit" => r"\p{Nd}",
        "Letter" => r"\p{L}",
        "LetterOrDigit" => r"\p{L}\p{Nd}",
        "SpaceChar" => r"\p{Z}",
        "Whitespace" => {
            r"\x{9}-\x{D}\x{1C}-\x{20}\x{1680}\x{2000}-\x{2006}\x{2008}-\x{200A}\x{2028}\x{2029}\x{205F}\x{3000}"
        }
        "ISOControl" => r"\x{0}-\x{1F}\x{7F}-\x{9F}",
        _ => return None,
    })
}

/// Binary properties, without `Is`; their names are case-insensitive.
fn binary(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "alphabetic" => r"\p{Alphabetic}",
        "ideographic" => r"\p{Ideographic}",
        "letter" => r"\p{L}",
        "lowercase" => r"\p{Lowercase}",
        "uppercase" => r"\p{Uppercase}",
        "titlecase" => r"\p{Lt}",
        "punctuation" => r"\p{P}",
        "control" => r"\p{Cc}",
        "white_space" | "whitespace" => r"\p{White_Space}",
        "digit" => r"\p{Nd}",
        "hex_digit" | "hexdigit" => r"\p{Hex_Digit}",
        "join_control" | "joincontrol" => r"\p{Join_Control}",
        _ => return None,
    })
}
