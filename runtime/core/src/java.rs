//! Numbers and strings as Java's library parses, prints, and compares them.

use std::cmp::Ordering;

mod double;

pub use double::{double_to_text, parse_double};

/// `Boolean.valueOf`: "true" in any letter case is true, everything else is false.
pub fn parse_bool(text: &str) -> bool {
    text.eq_ignore_ascii_case("true")
}

/// `Long.valueOf`: an optional sign and decimal digits of any script, with no surrounding blanks.
pub fn parse_long(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() {
        return None;
    }
    // Negative, because the smallest number has no positive counterpart.
    let downwards = digits.chars().try_fold(0_i64, |value, digit| {
        value
            .checked_mul(10)?
            .checked_sub(decimal_digit(digit)?.into())
    })?;
    if negative {
        Some(downwards)
    } else {
        downwards.checked_neg()
    }
}

/// The digit zero of each script that Java's `Character.digit` accepts below U+10000; nine more follow each.
const DIGIT_ZEROS: [u32; 37] = [
    0x30, 0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66,
    0xDE6, 0xE50, 0xED0, 0xF20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90,
    0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10,
];

fn decimal_digit(character: char) -> Option<u8> {
    let code = u32::from(character);
    let next = DIGIT_ZEROS.partition_point(|zero| *zero <= code);
    let zero = DIGIT_ZEROS.get(next.checked_sub(1)?)?;
    u8::try_from(code - zero).ok().filter(|digit| *digit < 10)
}

/// `String.compareTo`: by UTF-16 code units, which is not code point order above U+FFFF.
pub fn compare_text(left: &str, right: &str) -> Ordering {
    if left.is_ascii() || right.is_ascii() {
        return left.cmp(right);
    }
    left.encode_utf16().cmp(right.encode_utf16())
}

/// `String.trim`: removes everything up to the space, but no other Unicode blanks.
pub fn trim(text: &str) -> &str {
    text.trim_matches(|character| character <= ' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longs_are_read_as_java_reads_them() {
        let vectors = [
            ("0", Some(0)),
            ("010", Some(10)),
            ("+7", Some(7)),
            ("-7", Some(-7)),
            ("9223372036854775807", Some(i64::MAX)),
            ("9223372036854775808", None),
            ("-9223372036854775808", Some(i64::MIN)),
            ("-9223372036854775809", None),
            ("\u{663}\u{664}", Some(34)),
            ("\u{FF11}0", Some(10)),
            ("", None),
            ("+", None),
            ("-", None),
            ("--1", None),
            (" 5", None),
            ("5 ", None),
            ("1L", None),
            ("0x10", None),
            ("1_000", None),
            ("1.0", None),
        ];
        for (text, expected) in vectors {
            assert_eq!(parse_long(text), expected, "{text:?}");
        }
    }

    #[test]
    fn digit_zeros_are_in_order() {
        assert!(DIGIT_ZEROS.is_sorted());
    }

    #[test]
    fn texts_are_compared_by_utf16_units() {
        let vectors = [
            ("10", "9", Ordering::Less),
            ("a", "a", Ordering::Equal),
            ("", "a", Ordering::Less),
            ("b", "\u{E4}", Ordering::Less),
            // The emoji is encoded with surrogates, which are below U+FF5E.
            ("\u{FF5E}", "\u{1F600}", Ordering::Greater),
        ];
        for (left, right, expected) in vectors {
            assert_eq!(compare_text(left, right), expected, "{left:?} {right:?}");
            assert_eq!(compare_text(right, left), expected.reverse());
        }
    }

    #[test]
    fn trim_keeps_the_no_break_space() {
        assert_eq!(trim("\t\u{1} a b \n"), "a b");
        assert_eq!(trim("\u{A0}a"), "\u{A0}a");
    }
}
