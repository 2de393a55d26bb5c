//! Functions without prefix (`ELConstantsFunctions`).

use std::collections::BTreeMap;

use super::{map_text, text};
use crate::{
    el::{error::ElError, regex, scope::Scope, value::Value},
    java, limits,
};

functions! {
    FIRST_NOT_NULL = "firstNotNull"(Object, Object) -> Object, Nothing, "the first value unless it is null, else the second",
        |_, args| Ok(first_not_null(object(args, 0), object(args, 1)));
    CONCAT = "concat"(Text, Text) -> Text, Nothing, "two texts joined",
        |_, args| concat(text(args, 0), text(args, 1)).map(Value::from);
    REPLACE_ALL = "replaceAll"(Text, Text, Text) -> Text, Nothing, "a text with every match of a regular expression replaced",
        |_, args| replace_all(text(args, 0), text(args, 1), text(args, 2)).map(Value::from);
    APPEND_ALL = "appendAll"(Text, Text, Text) -> Text, Nothing, "a text with something appended to each piece between delimiters",
        |_, args| append_all(text(args, 0), text(args, 1), text(args, 2)).map(Value::from);
    TRIM = "trim"(Text) -> Text, Nothing, "a text without blanks at both ends",
        |_, args| Ok(trim(text(args, 0)).into());
    URL_ENCODE = "urlEncode"(Text) -> Text, Nothing, "a text encoded as in a form of a web page",
        |_, args| url_encode(text(args, 0)).map(Value::from);
    TIMESTAMP = "timestamp"() -> Text, Clock, "the current time to the minute, such as `2026-01-31T09:30Z`",
        |scope, _| Ok(timestamp(scope).into());
    TO_JSON_STR = "toJsonStr"(Map) -> Text, Nothing, "a map as a JSON object",
        |_, args| Ok(to_json_str(map(args, 0)).into());
    TO_PROPERTIES_STR = "toPropertiesStr"(Map) -> Text, Clock, "a map as Java properties, with a comment that holds the time",
        |scope, args| to_properties_str(scope, map(args, 0)).map(Value::from);
    TO_CONFIGURATION_STR = "toConfigurationStr"(Map) -> Text, Nothing, "a map as a Hadoop configuration",
        |_, args| to_configuration_str(map(args, 0)).map(Value::from);
}

/// `firstNotNull(a, b)`: the empty string is not null.
pub fn first_not_null(first: Value, second: Value) -> Value {
    if first.is_null() { second } else { first }
}

/// `concat(a, b)`
///
/// # Errors
///
/// Function, if the text would be longer than [`limits::MAX_TEXT`].
pub fn concat(first: &str, second: &str) -> Result<String, ElError> {
    joined("concat", &[first, second])
}

/// The concatenated texts, for the function `name`.
pub(super) fn joined(name: &str, texts: &[&str]) -> Result<String, ElError> {
    let length = texts.iter().map(|text| text.len()).sum();
    limits::check(length, 0).map_err(|problem| ElError::function(name, problem))?;
    Ok(texts.concat())
}

/// `replaceAll(text, regex, replacement)`: in the replacement, `$1` is a group and a backslash escapes the next character.
///
/// # Errors
///
/// Function, if the pattern or the replacement is invalid or cannot be expressed, or the text would be longer than
/// [`limits::MAX_TEXT`].
pub fn replace_all(source: &str, pattern: &str, replacement: &str) -> Result<String, ElError> {
    regex::compiled(pattern)
        .and_then(|regex| regex.replace_all(source, replacement))
        .map_err(|problem| ElError::function("replaceAll", problem))
}

/// `appendAll(text, append, delimiter)`: the text is split by the delimiter as a regular expression, and joined again with the
/// literal delimiter.
///
/// # Errors
///
/// Function, if the delimiter is an invalid pattern or cannot be expressed, or the text would be longer than
/// [`limits::MAX_TEXT`].
pub fn append_all(source: &str, append: &str, delimiter: &str) -> Result<String, ElError> {
    let pieces = regex::compiled(delimiter)
        .and_then(|regex| regex.split(source))
        .map_err(|problem| ElError::function("appendAll", problem))?;
    let most = pieces.len() + 1;
    let more = most
        .saturating_mul(append.len())
        .saturating_add(most.saturating_mul(delimiter.len()));
    limits::check(source.len(), more).map_err(|problem| ElError::function("appendAll", problem))?;
    let mut joined = String::with_capacity(source.len() + more);
    // Oozie restores the empty piece before a leading delimiter that Java's `split` drops.
    if source.starts_with(delimiter) && pieces.first().is_some_and(|piece| !piece.is_empty()) {
        joined.push_str(append);
    }
    for (at, piece) in pieces.iter().enumerate() {
        if at > 0 {
            joined.push_str(delimiter);
        }
        joined.push_str(piece);
        joined.push_str(append);
    }
    Ok(joined)
}

/// `trim(text)`: removes all characters up to U+0020 at both ends.
pub fn trim(text: &str) -> String {
    java::trim(text).to_owned()
}

/// `urlEncode(text)`: `application/x-www-form-urlencoded` in UTF-8, as Java's `URLEncoder` does it.
///
/// # Errors
///
/// Function, if the text would be longer than [`limits::MAX_TEXT`].
pub fn url_encode(text: &str) -> Result<String, ElError> {
    let escaped = text.bytes().filter(|byte| !is_plain_in_url(*byte)).count();
    limits::check(text.len(), escaped.saturating_mul(2))
        .map_err(|problem| ElError::function("urlEncode", problem))?;
    Ok(form_encoded(text))
}

/// Bytes that need no escape: they are encoded as one byte.
fn is_plain_in_url(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'*' | b'_' | b' ')
}

/// A text in the encoding of HTML forms.
pub fn form_encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// `timestamp()`: without seconds, in the processing time zone; `Z` for UTC, otherwise an offset such as `+0530`.
pub fn timestamp(scope: &dyn Scope) -> String {
    let offset = scope.processing_offset();
    let local = scope.now().with_timezone(&offset);
    let minutes = local.format("%Y-%m-%dT%H:%M");
    if offset.local_minus_utc() == 0 {
        format!("{minutes}Z")
    } else {
        format!("{minutes}{}", local.format("%z"))
    }
}

/// `toJsonStr(map)`; null gives `null`.
///
/// Oozie's text is also escaped for XML, and becomes JSON again when the action's XML is read. Our values never pass through XML,
/// so they are JSON from the start; the same applies to the two functions below.
pub fn to_json_str(map: Option<&BTreeMap<String, Value>>) -> String {
    match map {
        Some(map) => map_text::json(map),
        None => "null".to_owned(),
    }
}

/// `toPropertiesStr(map)`, sorted by name.
///
/// # Errors
///
/// Function, if the map is null or contains anything but texts.
pub fn to_properties_str(
    scope: &dyn Scope,
    map: Option<&BTreeMap<String, Value>>,
) -> Result<String, ElError> {
    let entries = map_text::text_entries(map)
        .map_err(|problem| ElError::function("toPropertiesStr", problem))?;
    let now = scope.now().with_timezone(&scope.processing_offset());
    Ok(map_text::properties(&entries, now))
}

/// `toConfigurationStr(map)`, sorted by name.
///
/// # Errors
///
/// Function, if the map is null or contains anything but texts.
pub fn to_configuration_str(map: Option<&BTreeMap<String, Value>>) -> Result<String, ElError> {
    map_text::text_entries(map)
        .map(|entries| map_text::configuration(&entries))
        .map_err(|problem| ElError::function("toConfigurationStr", problem))
}

fn object(args: &[Value], at: usize) -> Value {
    args.get(at).cloned().unwrap_or_default()
}

fn map(args: &[Value], at: usize) -> Option<&BTreeMap<String, Value>> {
    match args.get(at) {
        Some(Value::Map(map)) => Some(map),
        Some(Value::Null | Value::Bool(_) | Value::Long(_) | Value::Double(_) | Value::Text(_))
        | None => None,
    }
}
