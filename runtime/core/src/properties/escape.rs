//! Backslash escapes of keys and values.
//!
//! `\t`, `\n`, `\r`, `\f` and `\uXXXX` are escapes; before any other character the backslash is dropped. Java's strings are
//! UTF-16, so a character beyond the basic plane is two `\u` escapes: they are joined.

use std::ops::Range;

use super::{
    MalformedEscape, Warning, WarningKind,
    logical_line::{LogicalLine, PlaceCursor},
};

/// The unescaped text of a part of `line`. A malformed `\u` is reported and kept unchanged.
pub(super) fn unescape(
    line: &LogicalLine<'_>,
    part: &Range<usize>,
    places: &mut PlaceCursor<'_>,
    warnings: &mut Vec<Warning>,
    malformed: &mut Vec<MalformedEscape>,
) -> String {
    let raw = line.text.get(part.clone()).unwrap_or_default();
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(before) = rest.find('\\') {
        text.push_str(&rest[..before]);
        let start = part.end - (rest.len() - before);
        let mut behind = rest[before + 1..].chars();
        let Some(escaped) = behind.next() else {
            return text;
        };
        rest = behind.as_str();
        let mut range_to = |rest: &str| {
            let place = places.of(start);
            let end = places.end_of(part.end - rest.len());
            (place, place.start..end.unwrap_or(place.start))
        };
        match escaped {
            't' => text.push('\t'),
            'n' => text.push('\n'),
            'r' => text.push('\r'),
            'f' => text.push('\x0c'),
            'u' => match code_unit(rest) {
                Some((high, after_high)) => {
                    let (c, after) = join_surrogates(high, after_high);
                    if c.is_none() {
                        let (place, range) = range_to(after_high);
                        warnings.push(Warning {
                            kind: WarningKind::LoneSurrogate {
                                escape: format!("\\u{high:04X}"),
                            },
                            line: place.line,
                            column: place.column,
                            range,
                        });
                    }
                    text.push(c.unwrap_or(char::REPLACEMENT_CHARACTER));
                    rest = after;
                }
                None => {
                    let digits = rest.bytes().take(4).take_while(u8::is_ascii_hexdigit);
                    let (digits, behind) = rest.split_at(digits.count());
                    let (place, range) = range_to(behind);
                    malformed.push(MalformedEscape {
                        escape: format!("\\u{digits}"),
                        line: place.line,
                        column: place.column,
                        range,
                    });
                    text.push_str("\\u");
                }
            },
            other => text.push(other),
        }
    }
    text.push_str(rest);
    text
}

/// Four hexadecimal digits as a UTF-16 code unit, and the rest.
fn code_unit(text: &str) -> Option<(u16, &str)> {
    let (digits, rest) = text.split_at_checked(4)?;
    let mut unit = 0u16;
    for digit in digits.chars() {
        // Four digits of four bits fill the sixteen bits exactly.
        unit = (unit << 4) | u16::try_from(digit.to_digit(16)?).ok()?;
    }
    Some((unit, rest))
}

/// The character of `high`, joined with the following `\u` escape if the two are a pair.
fn join_surrogates(high: u16, rest: &str) -> (Option<char>, &str) {
    if let Some(c) = char::from_u32(u32::from(high)) {
        return (Some(c), rest);
    }
    if let Some((low, after_low)) = rest.strip_prefix("\\u").and_then(code_unit)
        && let Some(Ok(c)) = char::decode_utf16([high, low]).next()
    {
        return (Some(c), after_low);
    }
    (None, rest)
}
