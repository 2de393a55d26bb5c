//! Given values that were probably not meant: comments and backslashes in them, references that remain text, and paths in
//! which a part is empty.

use std::collections::BTreeMap;

use hpdlc_core::empty_parts::{self, Lost};

use super::{Properties, Property, USER_NAME};
use crate::{
    diagnostics::{Place, Sink, nearest},
    driver::mistakes::suspicious_properties::SuspiciousProperty,
    source::Span,
};

/// Constants that are also valid in values used by a `uri-template`: a coordinator evaluates them again.
const OF_TEMPLATES: [&str; 5] = ["YEAR", "MONTH", "DAY", "HOUR", "MINUTE"];

/// The properties that start a coordinator or a bundle.
const OF_SCHEDULES: [&str; 2] = [
    "oozie.coord.application.path",
    "oozie.bundle.application.path",
];

/// What is suspicious about a value as written in a properties file: the part, and why.
pub(super) fn of_raw(raw: &str) -> Option<(std::ops::Range<usize>, String)> {
    comment(raw).or_else(|| backslash(raw))
}

/// A sign around or before the address, path or queue of a property that is a part of its value: `nameNode="hdfs://nn"`, `nameNode:=hdfs://nn`.
pub(super) fn sign(key: &str, raw: &str) -> Option<(std::ops::Range<usize>, String)> {
    const NAMES: [&str; 4] = ["nameNode", "jobTracker", "resourceManager", "queueName"];
    let raw = raw.trim_end();
    let quoted = ['"', '\''].into_iter().find_map(|quote| {
        let inner = raw.strip_prefix(quote)?.strip_suffix(quote)?;
        (!inner.contains(quote)).then_some(inner)
    });
    let (inner, what) = match (quoted, raw.strip_prefix('=')) {
        (Some(inner), _) => (inner, "the quotes are"),
        (None, Some(inner)) => (inner.trim_start(), "the second `=` is"),
        (None, None) => return None,
    };
    // Other values may need quotes: those of queries and scripts.
    let is_address = inner.contains("://") || inner.starts_with('/');
    let is_sign = is_address || key.starts_with("oozie.") || NAMES.contains(&key);
    let is_word = !inner.is_empty() && !inner.contains([' ', '=', ';', ',']);
    (is_sign && is_word).then(|| {
        let message = format!("{what} a part of the value: write `{key}={inner}`");
        (0..raw.len(), message)
    })
}

/// A comment after a value is part of the value.
fn comment(raw: &str) -> Option<(std::ops::Range<usize>, String)> {
    let start = raw
        .char_indices()
        .zip(raw.chars().skip(1))
        .find_map(|((at, char), next)| {
            (char.is_whitespace() && next == '#').then(|| at + char.len_utf8())
        })?;
    let end = raw.trim_end().len();
    let text = &raw[start..end];
    let message = format!(
        "`{text}` is part of the value: a comment has a line of its own, which begins with `#`"
    );
    Some((start..end, message))
}

/// A backslash that escapes the next character, where a literal backslash was meant.
fn backslash(raw: &str) -> Option<(std::ops::Range<usize>, String)> {
    let is_path = {
        let mut chars = raw.chars();
        let drive = chars.next().is_some_and(|char| char.is_ascii_alphabetic());
        drive && chars.next() == Some(':') && chars.next() == Some('\\')
    };
    let mut chars = raw.char_indices();
    while let Some((at, char)) = chars.next() {
        if char != '\\' {
            continue;
        }
        let Some((_, escaped)) = chars.next() else {
            break;
        };
        let read_as = match escaped {
            't' => "a tab",
            'n' => "a line break",
            'r' => "a carriage return",
            'f' => "a form feed",
            _ if escaped.is_ascii_alphanumeric() && escaped != 'u' => "",
            _ => continue,
        };
        // A tab or a line break is probably intended as a separator.
        if !read_as.is_empty() && !is_path {
            continue;
        }
        let range = at..at + 1 + escaped.len_utf8();
        let read_as = match read_as {
            "" => format!("`{escaped}`"),
            name => name.to_owned(),
        };
        let message = format!("`\\{escaped}` is read as {read_as}: write `\\\\` for a backslash");
        return Some((range, message));
    }
    None
}

/// A comment after a value outside of a properties file, where a `#` alone is none.
pub(super) fn comment_elsewhere(value: &str) -> Option<String> {
    let (range, _) = comment(value)?;
    let text = &value[range];
    text.starts_with("# ")
        .then(|| format!("`{text}` is part of the value: there are no comments in values"))
}

/// Reports references in values that no property replaces or that would need evaluation, and paths in which a part is empty.
/// `changed` has the values with references, with these substituted.
pub(super) fn report(given: &Properties, changed: &BTreeMap<String, String>, sink: &mut Sink) {
    for (name, Property { value, span }) in given {
        let mut emit = |message: String| {
            let place = place_of(name, *span);
            sink.emit(SuspiciousProperty { place, message });
        };
        for reference in references(value) {
            if let Some(why) = stays_text(reference, given) {
                emit(format!(
                    "`${{{reference}}}` in the value of `{name}` stays text: {why}"
                ));
            }
        }
        if value.contains('/')
            && let Some(lost) = empty_parts::first_of_text(
                value,
                |text| {
                    let name = text.strip_prefix("${")?.strip_suffix('}')?;
                    let name = name.trim();
                    let changed = changed.get(name).cloned();
                    changed.or_else(|| Some(given.get(name)?.value.clone()))
                },
                &Lost::default(),
            )
        {
            emit(format!(
                "`{lost}` in the value of `{name}` is empty, so that the path means another place"
            ));
        }
    }
}

/// Where a property is defined: in its file, or on the command line.
pub(super) fn place_of(name: &str, span: Option<Span>) -> Place {
    match span {
        Some(span) => Place::Span(span),
        None => Place::Path(format!("-D {name}")),
    }
}

/// What is between `${` and `}`.
fn references(value: &str) -> impl Iterator<Item = &str> {
    value.split("${").skip(1).filter_map(|rest| {
        let (reference, _) = rest.split_once('}')?;
        Some(reference)
    })
}

/// Why a reference is not substituted.
fn stays_text(reference: &str, given: &Properties) -> Option<&'static str> {
    let is_name = |char: char| char.is_alphanumeric() || "._-".contains(char);
    if reference.is_empty() || !reference.chars().all(is_name) {
        return Some("functions and operators in the value of a property are not evaluated");
    }
    let is_known = given.contains_key(reference)
        || reference == USER_NAME
        || OF_TEMPLATES.contains(&reference);
    // What a coordinator passes to its workflow is substituted again, with what it defines itself (`CoordActionStartXCommand`).
    let is_passed_on = OF_SCHEDULES.iter().any(|path| given.contains_key(*path));
    let is_slip = || nearest(reference, given.keys().map(String::as_str)).is_some();
    let is_lost = !is_known && (!is_passed_on || is_slip());
    is_lost.then_some("no property that is given has this name")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_addresses_and_queues_are_found() {
        for (key, raw, is_found) in [
            ("nameNode", "\"hdfs://nn:8020\"", true),
            ("queueName", "'default'", true),
            ("nameNode", "=hdfs://nn:8020", true),
            ("nameNode", "hdfs://nn:8020", false),
            ("day", "'2026-11-20'", false),
            ("opts", "\"-Xmx1g -Dx=y\"", false),
            ("sign", "=", false),
        ] {
            assert_eq!(sign(key, raw).is_some(), is_found, "{key}={raw}");
        }
    }

    #[test]
    fn comments_and_backslashes_in_values_are_found() {
        for (raw, expected) in [
            ("etl # the queue", Some("# the queue")),
            ("etl\t#the queue", Some("#the queue")),
            (r"C:\temp\new", Some(r"\t")),
            (r"C:\data\new", Some(r"\d")),
            (r"\d+", Some(r"\d")),
            (r"C:\\temp", None),
            (r"C:/temp", None),
            (r"a\tb", None),
            (r"\u00e4", None),
            (r"a\:b", None),
            ("#a", None),
            ("a#b", None),
            ("color:#fff", None),
        ] {
            let found = of_raw(raw).map(|(range, _)| raw[range].to_owned());
            assert_eq!(found.as_deref(), expected, "{raw}");
        }
    }
}
