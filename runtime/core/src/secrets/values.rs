//! Finds a secret value in other text, verbatim or encoded: for a URL, or escaped in JSON, XML, or a properties file.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use super::{MIN_LENGTH, Secret, SecretStart};

/// The secrets that occur in `text`, longest first.
pub(super) fn that_occur<'s>(
    text: &str,
    secrets: &'s BTreeMap<SecretStart, BTreeSet<Secret>>,
) -> BTreeSet<&'s Secret> {
    let mut found = BTreeSet::new();
    if secrets.is_empty() {
        return found;
    }
    let text = text.as_bytes();
    for at in 0..text.len() {
        starting(text, at, at, (&mut [0; MIN_LENGTH], 0), secrets, &mut found);
    }
    found
}

/// Finds the secrets that begin at `first`; `start` contains their first `n` bytes, which end before `at`.
fn starting<'s>(
    text: &[u8],
    first: usize,
    at: usize,
    (start, n): (&mut SecretStart, usize),
    secrets: &'s BTreeMap<SecretStart, BTreeSet<Secret>>,
    found: &mut BTreeSet<&'s Secret>,
) {
    if n == MIN_LENGTH {
        let values = secrets.get(start).into_iter().flatten();
        found.extend(values.filter(|secret| match_at(text, first, secret.0.as_bytes()).is_some()));
        return;
    }
    let Some(&byte) = text.get(at) else {
        return;
    };
    let mut next = |byte: u8, length: usize| {
        start[n] = byte;
        let (mut least, mut most) = (*start, *start);
        least[n + 1..].fill(0);
        most[n + 1..].fill(u8::MAX);
        if secrets.range(least..=most).next().is_some() {
            starting(
                text,
                first,
                at + length,
                (&mut *start, n + 1),
                secrets,
                found,
            );
        }
    };
    next(byte, 1);
    if matches!(byte, b'%' | b'\\' | b'&' | b'+') {
        for meant in 0..=u8::MAX {
            if let Some(length) = written(&text[at..], meant) {
                next(meant, length);
            }
        }
    }
}

/// The ranges of `secret` in `text`, in order and without overlap.
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

/// The end of `secret` if it begins at `at`.
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

/// How many bytes at the start of `text` encode `byte`.
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

/// `&amp;` and other XML references for a character.
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

/// Whether `range` is not part of a longer word.
pub(super) fn is_word(text: &str, range: &Range<usize>) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let before = text
        .get(..range.start)
        .and_then(|it| it.chars().next_back());
    let after = text.get(range.end..).and_then(|it| it.chars().next());
    !before.is_some_and(is_part) && !after.is_some_and(is_part)
}
