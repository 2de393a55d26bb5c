//! Java properties format: `job.properties`, and the captured output of programs.
//!
//! The syntax is that of `java.util.Properties`: one entry per logical line, `=`, `:` or blanks between key and value, `#` and
//! `!` comments, backslash escapes and continuation lines. There are two parsers: [`parse`] is for files that users write and
//! refuses what Java refuses; [`parse_captured`] is for the output of programs, where a stray backslash must not fail an action
//! that has succeeded.
//!
//! Every entry keeps its position in the original bytes, so that diagnostics about a value can point to it.

use std::{collections::BTreeMap, fmt, ops::Range};

mod escape;
mod logical_line;
mod store;
#[cfg(test)]
mod tests;

use self::logical_line::{LogicalLine, NaturalLines};

pub use self::store::store;

/// A properties file, in document order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Properties {
    /// Every entry, duplicates included; the last one of a key wins.
    pub entries: Vec<PropertyEntry>,
    /// What Java accepts but users rarely intend, by position.
    pub warnings: Vec<Warning>,
}

impl Properties {
    /// Key to value; the last entry of a key wins as in Java.
    pub fn to_map(&self) -> BTreeMap<String, String> {
        self.entries
            .iter()
            .map(|entry| (entry.key.clone(), entry.value.clone()))
            .collect()
    }
}

/// One key with its value, unescaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PropertyEntry {
    /// The unescaped key; empty when the line starts with a separator.
    pub key: String,
    /// The unescaped value, including trailing blanks, as in Java.
    pub value: String,
    /// Line of the key's first character, 1-based.
    pub line: usize,
    /// Byte range of the key as written.
    pub key_range: Range<usize>,
    /// Byte range of the value as written, including continuation lines; empty, at the value's position, if there is none.
    pub value_range: Range<usize>,
}

/// Something unusual that is not an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    pub kind: WarningKind,
    /// 1-based.
    pub line: usize,
    /// 1-based, in characters.
    pub column: usize,
    /// The bytes that it refers to.
    pub range: Range<usize>,
}

/// Kinds of [`Warning`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WarningKind {
    /// The key occurs in an earlier line too, whose value is lost.
    DuplicateKey { key: String, first_line: usize },
    /// `\uD800` to `\uDFFF` without its counterpart; read as U+FFFD.
    LoneSurrogate { escape: String },
    /// Non-ASCII text, which Java's stream loader would decode differently; reported once per file.
    Encoding { read_as: Encoding },
    /// The file starts with a byte order mark, which Java would make part of the first key.
    ByteOrderMark,
    /// A `\u` without four hexadecimal digits, kept unchanged; only from [`parse_captured`].
    MalformedEscape { escape: String },
}

/// How the bytes of a file were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    /// ISO 8859-1, if the bytes are not valid UTF-8.
    Latin1,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            WarningKind::DuplicateKey { key, first_line } => {
                write!(f, "`{key}` is already set in line {first_line}; the later value counts")
            }
            WarningKind::LoneSurrogate { escape } => {
                write!(f, "`{escape}` is half of a surrogate pair; it is read as U+FFFD")
            }
            WarningKind::Encoding { read_as: Encoding::Utf8 } => {
                f.write_str("text beyond ASCII is read as UTF-8, where Java reads ISO 8859-1; `\\uXXXX` is safe in both")
            }
            WarningKind::Encoding { read_as: Encoding::Latin1 } => {
                f.write_str("the file is not valid UTF-8 and is read as ISO 8859-1; `\\uXXXX` is safe in both")
            }
            WarningKind::ByteOrderMark => {
                f.write_str("the byte order mark is skipped, where Java makes it part of the first key")
            }
            WarningKind::MalformedEscape { escape } => {
                write!(f, "`{escape}` is not `\\u` with four hexadecimal digits; it is kept as it is")
            }
        }
    }
}

/// A `\u` that is not followed by four hexadecimal digits; `java.util.Properties` refuses the whole file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MalformedEscape {
    /// The incomplete escape, such as `\u12`.
    pub escape: String,
    /// 1-based.
    pub line: usize,
    /// 1-based, in characters; the position of the backslash.
    pub column: usize,
    /// The bytes of `escape`.
    pub range: Range<usize>,
}

impl fmt::Display for MalformedEscape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MalformedEscape {
            escape,
            line,
            column,
            range: _,
        } = self;
        write!(
            f,
            "line {line}, column {column}: `{escape}` is not `\\u` with four hexadecimal digits; \
             write `\\\\` for a backslash"
        )
    }
}

impl std::error::Error for MalformedEscape {}

/// The output of a captured program, parsed as properties.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CapturedProperties {
    pub data: BTreeMap<String, String>,
    pub warnings: Vec<Warning>,
}

/// Parses a properties file: UTF-8 if the bytes are valid UTF-8, otherwise ISO 8859-1.
///
/// # Errors
///
/// All malformed `\u` escapes of the file, at least one.
pub fn parse(bytes: &[u8]) -> Result<Properties, Vec<MalformedEscape>> {
    let (lines, encoding) = match std::str::from_utf8(bytes) {
        Ok(text) => (NaturalLines::of_utf8(text), Encoding::Utf8),
        Err(_) => (NaturalLines::of_latin1(bytes), Encoding::Latin1),
    };
    let mut reader = Reader::default();
    reader.read(lines);
    if !reader.malformed.is_empty() {
        return Err(reader.malformed);
    }

    let mut warnings = reader.warnings;
    if let Some((line, column, range)) = reader.beyond_ascii {
        warnings.push(Warning {
            kind: WarningKind::Encoding { read_as: encoding },
            line,
            column,
            range,
        });
    }
    warnings.extend(duplicates(&reader.entries, bytes));
    warnings.sort_by_key(|warning| warning.range.start);
    Ok(Properties {
        entries: reader.entries,
        warnings,
    })
}

/// The entries of a text, whether or not it is well-formed: for places in it. A malformed escape is kept unchanged.
pub fn entries(text: &str) -> Vec<PropertyEntry> {
    let mut reader = Reader::default();
    reader.read(NaturalLines::of_utf8(text));
    reader.entries
}

/// Parses the text that an action printed for `capture-output` (Oozie's `LauncherAM` loads it as properties).
///
/// Never fails: a malformed escape is kept unchanged, with a warning. Duplicate keys are normal here (log lines start with the
/// same word), so the later value wins without one.
pub fn parse_captured(text: &str) -> CapturedProperties {
    let mut reader = Reader::default();
    reader.read(NaturalLines::of_utf8(text));
    let mut warnings = reader.warnings;
    warnings.extend(reader.malformed.into_iter().map(
        |MalformedEscape {
             escape,
             line,
             column,
             range,
         }| Warning {
            kind: WarningKind::MalformedEscape { escape },
            line,
            column,
            range,
        },
    ));
    warnings.sort_by_key(|warning| warning.range.start);
    let data = reader
        .entries
        .into_iter()
        .map(|entry| (entry.key, entry.value))
        .collect();
    CapturedProperties { data, warnings }
}

fn duplicates(entries: &[PropertyEntry], bytes: &[u8]) -> Vec<Warning> {
    let mut first_lines: BTreeMap<&str, usize> = BTreeMap::new();
    let mut warnings = Vec::new();
    for entry in entries {
        match first_lines.get(entry.key.as_str()) {
            Some(&first_line) => warnings.push(Warning {
                kind: WarningKind::DuplicateKey {
                    key: entry.key.clone(),
                    first_line,
                },
                line: entry.line,
                // Only blanks precede a key in its line, each one byte and one character.
                column: 1 + leading_blanks(bytes, entry.key_range.start),
                range: entry.key_range.clone(),
            }),
            None => {
                first_lines.insert(&entry.key, entry.line);
            }
        }
    }
    warnings
}

fn leading_blanks(bytes: &[u8], key_start: usize) -> usize {
    let before = bytes.get(..key_start).unwrap_or_default();
    before
        .iter()
        .rev()
        .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\x0c'))
        .count()
}

/// The results of one pass over the logical lines.
#[derive(Default)]
struct Reader {
    entries: Vec<PropertyEntry>,
    warnings: Vec<Warning>,
    malformed: Vec<MalformedEscape>,
    /// Position of the first non-ASCII character of a key or value.
    beyond_ascii: Option<(usize, usize, Range<usize>)>,
}

impl Reader {
    fn read(&mut self, mut lines: NaturalLines<'_>) {
        if let Some(range) = lines.byte_order_mark() {
            self.warnings.push(Warning {
                kind: WarningKind::ByteOrderMark,
                line: 1,
                column: 1,
                range,
            });
        }
        while let Some(line) = lines.next_line() {
            if self.beyond_ascii.is_none()
                && let Some(at) = line.text.find(|c: char| !c.is_ascii())
            {
                let place = line.places().of(at);
                let char = line.text[at..].chars().next().unwrap_or_default();
                let end = place.start + line.length(char);
                self.beyond_ascii = Some((place.line, place.column, place.start..end));
            }
            self.read_entry(&line);
        }
    }

    fn read_entry(&mut self, line: &LogicalLine<'_>) {
        if line.text.is_empty() {
            return;
        }
        let bytes = line.text.as_bytes();
        let key = 0..key_len(bytes);
        let value_start = key.end + separator_len(bytes.get(key.end..).unwrap_or_default());
        let value = value_start..bytes.len();
        let mut places = line.places();
        let first = places.of(0);
        let (warnings, malformed) = (&mut self.warnings, &mut self.malformed);
        let key_text = escape::unescape(line, &key, &mut places, warnings, malformed);
        let value_text = escape::unescape(line, &value, &mut places, warnings, malformed);
        self.entries.push(PropertyEntry {
            key: key_text,
            value: value_text,
            line: first.line,
            key_range: line.places().range(&key, first.start),
            value_range: line.places().range(&value, line.end),
        });
    }
}

/// The key ends at the first unescaped separator or blank.
fn key_len(line: &[u8]) -> usize {
    let mut is_escaped = false;
    for (index, &byte) in line.iter().enumerate() {
        if !is_escaped && (is_separator(byte) || logical_line::is_blank(byte)) {
            return index;
        }
        is_escaped = byte == b'\\' && !is_escaped;
    }
    line.len()
}

/// Blanks, at most one `=` or `:`, blanks.
fn separator_len(rest: &[u8]) -> usize {
    let mut has_separator = false;
    for (index, &byte) in rest.iter().enumerate() {
        if logical_line::is_blank(byte) {
            continue;
        }
        if is_separator(byte) && !has_separator {
            has_separator = true;
            continue;
        }
        return index;
    }
    rest.len()
}

fn is_separator(byte: u8) -> bool {
    matches!(byte, b'=' | b':')
}
