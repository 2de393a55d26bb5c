//! Finding a secret value in other text, as it is or as something else has written it: encoded for a URL, or escaped in
//! JSON, XML, or a properties file.

use std::ops::Range;

/// Where `secret` stands in `text`, in order, without overlap.
pub(super) fn find(text: &str, secret: &str) -> Vec<Range<usize>> {
    let (text, secret) = (text.as_bytes(), secret.as_bytes());
    let mut found = Vec::new();
    let Some(&first) = secret.first() else {
        return found;
    };
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let may_begin =
            byte == first || matches!(byte, b'%' | b'\\' | b'&') || (byte == b'+' && first == b' ');
        match may_begin.then(|| match_at(text, at, secret)).flatten() {
            Some(end) => {
                found.push(at..end);
                at = end;
            }
            None => at += 1,
        }
    }
    found
}

/// Where `secret` ends that begins at `at`.
fn match_at(text: &[u8], at: usize, secret: &[u8]) -> Option<usize> {
    if text[at..].starts_with(secret) {
        return Some(at + secret.len());
    }
    let mut place = at;
    for &byte in secret {
        place += written(&text[place..], byte)?;
    }
    Some(place)
}

/// How many bytes at the start of `text` stand for `byte`.
fn written(text: &[u8], byte: u8) -> Option<usize> {
    let &first = text.first()?;
    let encoded = match first {
        b'%' => {
            let digits = text.get(1..3).and_then(hexadecimal);
            (digits == Some(byte)).then_some(3)
        }
        b'+' => (byte == b' ').then_some(1),
        b'\\' => escaped(text, byte),
        b'&' => reference(text, byte),
        _ => None,
    };
    encoded.or_else(|| (first == byte).then_some(1))
}

fn hexadecimal(digits: &[u8]) -> Option<u8> {
    let text = std::str::from_utf8(digits).ok()?;
    let is_number = text.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_number
        .then(|| u32::from_str_radix(text, 16).ok())
        .flatten()
        .and_then(|number| u8::try_from(number).ok())
}

/// `\n`, `\u0041`, `\x41`, and a backslash before the character itself.
fn escaped(text: &[u8], byte: u8) -> Option<usize> {
    let &second = text.get(1)?;
    let is_letter = match second {
        b'n' => byte == b'\n',
        b'r' => byte == b'\r',
        b't' => byte == b'\t',
        b'u' => return (hexadecimal(text.get(2..6)?) == Some(byte)).then_some(6),
        b'x' => return (hexadecimal(text.get(2..4)?) == Some(byte)).then_some(4),
        other => other == byte,
    };
    is_letter.then_some(2)
}

/// `&amp;` and what else XML has for a character.
fn reference(text: &[u8], byte: u8) -> Option<usize> {
    let names: &[&str] = match byte {
        b'&' => &["&amp;", "&#38;"],
        b'<' => &["&lt;", "&#60;"],
        b'>' => &["&gt;", "&#62;"],
        b'"' => &["&quot;", "&#34;"],
        b'\'' => &["&apos;", "&#39;", "&#x27;"],
        b'\n' => &["&#10;", "&#xA;"],
        b'=' => &["&#x3D;"],
        b'`' => &["&#x60;"],
        _ => &[],
    };
    names
        .iter()
        .find(|name| text.starts_with(name.as_bytes()))
        .map(|name| name.len())
}

/// Whether nothing at the ends of `range` makes it a part of a longer word.
pub(super) fn is_word(text: &str, range: &Range<usize>) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let before = text
        .get(..range.start)
        .and_then(|it| it.chars().next_back());
    let after = text.get(range.end..).and_then(|it| it.chars().next());
    !before.is_some_and(is_part) && !after.is_some_and(is_part)
}
