//! Maps as JSON, Java properties, and Hadoop configuration, for `toJsonStr` and similar functions.

use std::collections::BTreeMap;

use chrono::{DateTime, FixedOffset};

use crate::el::value::{Described, Value};

/// The entries of a map of texts, or what is wrong with it.
pub(super) fn text_entries(
    map: Option<&BTreeMap<String, Value>>,
) -> Result<Vec<(&str, &str)>, String> {
    map.ok_or("expected a map, found null")?
        .iter()
        .map(|(key, value)| match value {
            Value::Text(text) => Ok((key.as_str(), text.as_str())),
            Value::Null | Value::Bool(_) | Value::Long(_) | Value::Double(_) | Value::Map(_) => {
                Err(format!(
                    "expected a text for `{key}`, found {}",
                    Described(value)
                ))
            }
        })
        .collect()
}

/// A JSON object without blanks, as json-simple writes it: it escapes `/` too.
pub(super) fn json(map: &BTreeMap<String, Value>) -> String {
    let mut text = String::new();
    push_json_map(&mut text, map);
    text
}

fn push_json_map(text: &mut String, map: &BTreeMap<String, Value>) {
    text.push('{');
    for (at, (key, value)) in map.iter().enumerate() {
        if at > 0 {
            text.push(',');
        }
        push_json_text(text, key);
        text.push(':');
        match value {
            Value::Text(value) => push_json_text(text, value),
            Value::Map(map) => push_json_map(text, map),
            Value::Null => text.push_str("null"),
            Value::Double(value) if !value.is_finite() => text.push_str("null"),
            Value::Bool(_) | Value::Long(_) | Value::Double(_) => text.push_str(&value.to_text()),
        }
    }
    text.push('}');
}

fn push_json_text(text: &mut String, value: &str) {
    text.push('"');
    for character in value.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '/' => text.push_str("\\/"),
            '\u{8}' => text.push_str("\\b"),
            '\u{C}' => text.push_str("\\f"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}' | '\u{2000}'..='\u{20FF}' => {
                text.push_str(&format!("\\u{:04X}", u32::from(character)));
            }
            _ => text.push(character),
        }
    }
    text.push('"');
}

/// The output of Java's `Properties.store` with an empty comment: two comment lines, then the entries.
pub(super) fn properties(entries: &[(&str, &str)], now: DateTime<FixedOffset>) -> String {
    let zone = if now.offset().local_minus_utc() == 0 {
        "UTC".to_owned()
    } else {
        now.format("GMT%:z").to_string()
    };
    let mut text = format!(
        "#\n#{} {zone} {}\n",
        now.format("%a %b %d %H:%M:%S"),
        now.format("%Y")
    );
    for (key, value) in entries {
        push_property_text(&mut text, key, true);
        text.push('=');
        push_property_text(&mut text, value, false);
        text.push('\n');
    }
    text
}

fn push_property_text(text: &mut String, value: &str, is_key: bool) {
    for (at, character) in value.char_indices() {
        match character {
            ' ' if is_key || at == 0 => text.push_str("\\ "),
            '\t' => text.push_str("\\t"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\u{C}' => text.push_str("\\f"),
            '\\' | '=' | ':' | '#' | '!' => {
                text.push('\\');
                text.push(character);
            }
            _ => text.push(character),
        }
    }
}

/// A Hadoop configuration as JDOM's pretty format prints it; it trims names and values.
pub(super) fn configuration(entries: &[(&str, &str)]) -> String {
    if entries.is_empty() {
        return "<configuration />".to_owned();
    }
    let mut text = "<configuration>\n".to_owned();
    for (key, value) in entries {
        text.push_str("  <property>\n");
        push_element(&mut text, "name", key);
        push_element(&mut text, "value", value);
        text.push_str("  </property>\n");
    }
    text.push_str("</configuration>");
    text
}

fn push_element(text: &mut String, name: &str, value: &str) {
    let value = value.trim_matches([' ', '\t', '\n', '\r']);
    if value.is_empty() {
        text.push_str(&format!("    <{name} />\n"));
        return;
    }
    text.push_str(&format!("    <{name}>"));
    for character in value.chars() {
        match character {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '\r' => text.push_str("&#xD;"),
            _ => text.push(character),
        }
    }
    text.push_str(&format!("</{name}>\n"));
}
