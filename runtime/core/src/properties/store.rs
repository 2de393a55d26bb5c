//! Writes properties text.

use std::{collections::BTreeMap, fmt::Write as _};

/// Writes properties as `java.util.Properties.store` escapes them, in ASCII, one line each, sorted by key, and without its date
/// comment, so that equal properties give identical text.
pub fn store(properties: &BTreeMap<String, String>) -> String {
    let mut text = String::new();
    for (key, value) in properties {
        push_escaped(&mut text, key, Blanks::All);
        text.push('=');
        push_escaped(&mut text, value, Blanks::Leading);
        text.push('\n');
    }
    text
}

/// Which spaces must be escaped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Blanks {
    All,
    Leading,
}

fn push_escaped(text: &mut String, part: &str, blanks: Blanks) {
    for (index, c) in part.chars().enumerate() {
        match c {
            ' ' if blanks == Blanks::All || index == 0 => text.push_str("\\ "),
            '\t' => text.push_str("\\t"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\x0c' => text.push_str("\\f"),
            '\\' | '=' | ':' | '#' | '!' => {
                text.push('\\');
                text.push(c);
            }
            ' '..='~' => text.push(c),
            _ => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(text, "\\u{unit:04X}").expect("writing to a string cannot fail");
                }
            }
        }
    }
}
