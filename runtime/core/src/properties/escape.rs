//! Backslash escapes of keys and values.
//!
//! `\t`, `\n`, `\r`, `\f` and `\uXXXX` mean something; before any other character the backslash just goes.
//! Java's strings are UTF-16, so a character beyond the basic plane is two `\u` escapes there: they are joined.

use super::{MalformedEscape, Warning, WarningKind, logical_line::LogicalChar};

/// The text that `chars` stands for. A malformed `\u` is reported and kept as it stands.
pub(super) fn unescape(
    chars: &[LogicalChar],
    warnings: &mut Vec<Warning>,
    malformed: &mut Vec<MalformedEscape>,
) -> String {
    let mut text = String::with_capacity(chars.len());
    let mut rest = chars;
    while let Some((first, after_first)) = rest.split_first() {
        if first.char != '\\' {
            text.push(first.char);
            rest = after_first;
            continue;
        }
        let Some((escaped, after_escaped)) = after_first.split_first() else {
            break;
        };
        rest = after_escaped;
        match escaped.char {
            't' => text.push('\t'),
            'n' => text.push('\n'),
            'r' => text.push('\r'),
            'f' => text.push('\x0c'),
            'u' => match code_unit(after_escaped) {
                Some((high, after_high)) => {
                    let (c, after) = join_surrogates(high, after_high);
                    if c.is_none() {
                        warnings.push(Warning {
                            kind: WarningKind::LoneSurrogate {
                                escape: format!("\\u{high:04X}"),
                            },
                            line: first.line(),
                            column: first.column(),
                            range: first.start()..end_of(first, escaped, after_escaped.get(..4)),
                        });
                    }
                    text.push(c.unwrap_or(char::REPLACEMENT_CHARACTER));
                    rest = after;
                }
                None => {
                    let n_digits = after_escaped
                        .iter()
                        .take(4)
                        .take_while(|c| c.char.is_ascii_hexdigit())
                        .count();
                    let digits = after_escaped.get(..n_digits);
                    let escape: String = ['\\', 'u']
                        .into_iter()
                        .chain(digits.into_iter().flatten().map(|c| c.char))
                        .collect();
                    malformed.push(MalformedEscape {
                        escape,
                        line: first.line(),
                        column: first.column(),
                        range: first.start()..end_of(first, escaped, digits),
                    });
                    text.push_str("\\u");
                }
            },
            other => text.push(other),
        }
    }
    text
}

/// Four hexadecimal digits as a UTF-16 code unit, and what follows them.
fn code_unit(chars: &[LogicalChar]) -> Option<(u16, &[LogicalChar])> {
    let (digits, rest) = chars.split_at_checked(4)?;
    let mut unit = 0u16;
    for digit in digits {
        // Four digits of four bits fill the sixteen bits exactly.
        unit = (unit << 4) | u16::try_from(digit.char.to_digit(16)?).ok()?;
    }
    Some((unit, rest))
}

/// The character of `high`, with the `\u` escape behind it when the two are a pair.
fn join_surrogates(high: u16, rest: &[LogicalChar]) -> (Option<char>, &[LogicalChar]) {
    if let Some(c) = char::from_u32(u32::from(high)) {
        return (Some(c), rest);
    }
    if let Some((low, after_low)) = escaped_code_unit(rest)
        && let Some(Ok(c)) = char::decode_utf16([high, low]).next()
    {
        return (Some(c), after_low);
    }
    (None, rest)
}

fn escaped_code_unit(chars: &[LogicalChar]) -> Option<(u16, &[LogicalChar])> {
    let (backslash, rest) = chars.split_first()?;
    let (u, rest) = rest.split_first()?;
    if backslash.char != '\\' || u.char != 'u' {
        return None;
    }
    code_unit(rest)
}

fn end_of(backslash: &LogicalChar, u: &LogicalChar, digits: Option<&[LogicalChar]>) -> usize {
    let last = digits.and_then(<[LogicalChar]>::last).unwrap_or(u);
    last.end().max(backslash.end())
}
