//! The properties given on the command line: files with `-c`, of which later ones override earlier ones, then `-D`.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use hpdlc_core::{
    configuration,
    properties::{self, WarningKind},
    substitute::{self, SubstituteError},
};

use crate::{
    diagnostics::{Place, Sink},
    driver::{
        mistakes::{
            invalid_job_configuration::InvalidJobConfiguration,
            invalid_properties_file::InvalidPropertiesFile,
            suspicious_properties::SuspiciousProperty,
        },
        read::Files,
        shown,
    },
    source::{FileId, Span},
};

mod oddities;

/// The user who runs the job.
pub const USER_NAME: &str = "user.name";

/// The arguments of `-c` and `-D`, as written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PropertyArguments {
    /// In the order of the command line.
    pub files: Vec<PathBuf>,
    pub definitions: Vec<(String, String)>,
}

pub use crate::analysis::{GivenProperties as Properties, GivenProperty as Property};

/// Reads the properties that `arguments` specify. Invalid files are reported as diagnostics.
pub fn read(arguments: &PropertyArguments, files: &mut Files, sink: &mut Sink) -> Properties {
    let mut given = Properties::default();
    for path in &arguments.files {
        read_file(path, files, sink, &mut given);
    }
    for (name, value) in &arguments.definitions {
        report_comment(name, value, None, sink);
        given.insert(
            name.clone(),
            Property {
                value: value.clone(),
                span: None,
            },
        );
    }
    shown::keep_from_all(&given);
    // Endless references are reported with the document.
    if let Ok(changed) = changed(&given) {
        oddities::report(&given, &changed, sink);
    }
    given
}

/// The values with references between them substituted, as Oozie does it at submission.
///
/// # Errors
///
/// Endless references.
pub fn resolved(given: &Properties) -> Result<BTreeMap<String, String>, SubstituteError> {
    let mut changed = changed(given)?;
    let resolved = given.iter().map(|(name, property)| {
        let value = changed.remove(name);
        (
            name.clone(),
            value.unwrap_or_else(|| property.value.clone()),
        )
    });
    Ok(resolved.collect())
}

/// The values that have references, with these substituted.
fn changed(given: &Properties) -> Result<BTreeMap<String, String>, SubstituteError> {
    let values = given.iter();
    substitute::resolve_changed(
        values.map(|(name, property)| (name.as_str(), property.value.as_str())),
        |name| Some(given.get(name)?.value.as_str()),
    )
}

fn read_file(path: &Path, files: &mut Files, sink: &mut Sink, given: &mut Properties) {
    let shown = path.display().to_string();
    let Some(bytes) = files.bytes(path, &shown, sink) else {
        return;
    };
    if is_xml(&bytes) {
        drop(bytes);
        if let Some(file) = files.named_text(path, &shown, sink) {
            read_configuration(file, files, sink, given);
        }
        return;
    }
    let (text, is_latin1) = match String::from_utf8(bytes) {
        Ok(text) => (text, false),
        // ISO 8859-1, Java's encoding of properties files.
        Err(error) => (
            error.as_bytes().iter().copied().map(char::from).collect(),
            true,
        ),
    };
    let file = files.sources.add(shown, text);
    let text = files.sources.text(file);
    match properties::parse(text.as_bytes()) {
        Ok(parsed) => {
            for warning in parsed.warnings {
                let is_encoding = matches!(warning.kind, WarningKind::Encoding { .. });
                let message = if is_encoding && is_latin1 {
                    "the file is not UTF-8 and is read as ISO 8859-1; `\\uXXXX` is safe in both"
                        .to_owned()
                } else {
                    warning.to_string()
                };
                sink.emit(SuspiciousProperty {
                    place: Place::Span(span(file, &warning.range)),
                    message,
                });
            }
            for entry in parsed.entries {
                let raw = text.get(entry.value_range.clone());
                let odd = |raw| oddities::of_raw(raw).or_else(|| oddities::sign(&entry.key, raw));
                if let Some((range, message)) = raw.and_then(odd) {
                    let start = entry.value_range.start;
                    let range = start + range.start..start + range.end;
                    sink.emit(SuspiciousProperty {
                        place: Place::Span(span(file, &range)),
                        message,
                    });
                }
                let span = Some(span(file, &entry.key_range));
                given.insert(
                    entry.key,
                    Property {
                        value: entry.value,
                        span,
                    },
                );
            }
        }
        Err(errors) => {
            for error in &errors {
                sink.emit(InvalidPropertiesFile {
                    span: span(file, &error.range),
                    error,
                });
            }
        }
    }
}

fn read_configuration(file: FileId, files: &Files, sink: &mut Sink, given: &mut Properties) {
    let text = files.sources.text(file);
    match configuration::parse(text) {
        Ok(parsed) => {
            for warning in &parsed.warnings {
                let span = word_at(file, text, warning.offset);
                sink.emit(SuspiciousProperty {
                    place: Place::Span(span),
                    message: warning.to_string(),
                });
            }
            for property in parsed.properties {
                let span = name_at(file, text, property.offset, &property.name);
                report_comment(&property.name, &property.value, Some(span), sink);
                given.insert(
                    property.name,
                    Property {
                        value: property.value,
                        span: Some(span),
                    },
                );
            }
        }
        Err(error) => {
            let span = word_at(file, text, error.offset);
            sink.emit(InvalidJobConfiguration {
                span,
                error: &error,
            });
        }
    }
}

fn report_comment(name: &str, value: &str, span: Option<Span>, sink: &mut Sink) {
    if let Some(message) = oddities::comment_elsewhere(value) {
        let place = oddities::place_of(name, span);
        sink.emit(SuspiciousProperty { place, message });
    }
}

/// Whether a properties file is a configuration document: Hadoop's begin with markup, and no name begins with `<`.
fn is_xml(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.trim_ascii_start().starts_with(b"<")
}

fn span(file: FileId, range: &std::ops::Range<usize>) -> Span {
    let offset = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    Span::new(file, offset(range.start), offset(range.end))
}

/// The rest of a document from an offset given by its parser, which does not count a byte order mark; and the offset itself.
fn rest_from(text: &str, offset: usize) -> (usize, &str) {
    let mark = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let offset = (offset + mark).min(text.len());
    (offset, text.get(offset..).unwrap_or_default())
}

/// The maximum length in bytes of a marked word or name, which may have megabytes.
const MOST_POINTED_AT: usize = 200;

/// From an offset to the end of the word.
fn word_at(file: FileId, text: &str, offset: usize) -> Span {
    let (offset, rest) = rest_from(text, offset);
    let is_end =
        |(at, char): &(usize, char)| *at > 0 && (char.is_whitespace() || "<>/".contains(*char));
    let is_line_end = rest.starts_with('\n');
    let length = rest
        .char_indices()
        .find(is_end)
        .map_or(rest.len(), |(at, _)| at);
    let length = match is_line_end {
        true => 0,
        false => rest.floor_char_boundary(length.min(MOST_POINTED_AT)),
    };
    span(file, &(offset..offset + length))
}

/// The name of a property that begins there; if it is written in another form, up to the end of its line or element.
fn name_at(file: FileId, text: &str, offset: usize, name: &str) -> Span {
    let (offset, rest) = rest_from(text, offset);
    let length = if rest.starts_with(name) {
        name.len()
    } else {
        let end = rest.find(['\n', '<']).unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default().trim_end().len()
    };
    let length = rest.floor_char_boundary(length.min(MOST_POINTED_AT));
    span(file, &(offset..offset + length))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    /// The properties from files with these bytes and from definitions, then the diagnostics.
    #[track_caller]
    fn check(contents: &[&[u8]], definitions: &[(&str, &str)], expect: Expect) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut arguments = PropertyArguments::default();
        for (number, bytes) in contents.iter().enumerate() {
            let path = folder.path().join(format!("{number}.conf"));
            std::fs::write(&path, bytes).expect("writes");
            arguments.files.push(path);
        }
        for (name, value) in definitions {
            arguments
                .definitions
                .push(((*name).to_owned(), (*value).to_owned()));
        }
        let mut sink = Sink::default();
        let mut files = Files::default();
        let given = read(&arguments, &mut files, &mut sink);
        let values = resolved(&given).expect("references end");
        let mut text = String::new();
        for (name, property) in &given {
            let place = property.span.map_or("-D".to_owned(), |span| {
                assert_eq!(files.sources.snippet(span), name);
                format!(
                    "{}:{}",
                    span.file.0,
                    files.sources.position(span.file, span.start).line
                )
            });
            let value = values.get(name).map_or("(none)", String::as_str);
            text.push_str(&format!("{name} = {value} ({place})\n"));
        }
        for diagnostic in sink.into_sorted() {
            let marked = match &diagnostic.place {
                Place::Span(span) => files.sources.snippet(*span),
                Place::File(_) => "",
                Place::Path(path) => path,
            };
            text.push_str(&format!(
                "{} `{marked}` {}\n",
                diagnostic.rule.id(),
                diagnostic.message
            ));
        }
        expect.assert_eq(&text);
    }

    #[test]
    fn later_ones_win_and_refer_to_each_other() {
        check(
            &[
                b"root=/data\nqueue=one\n",
                b"<?xml version=\"1.0\"?>\n<configuration>\n<property><name>queue</name><value>two</value></property>\n</configuration>",
            ],
            &[("input", "${root}/in")],
            expect![[r"
                input = /data/in (-D)
                queue = two (1:3)
                root = /data (0:1)
            "]],
        );
    }

    #[test]
    fn mistakes_in_files_have_their_place() {
        check(
            &[
                b"a=1\ndir=C:\\users\n",
                b"<configuration>\n  <property>\n",
                b"a=1\na=2\n",
            ],
            &[],
            expect![[r#"
                a = 2 (2:2)
                H0005 `\u` malformed escape `\u`
                H0006 `` element `property` is not closed
                suspicious_properties `a` `a` is already set in line 1; the later value counts
            "#]],
        );
    }

    /// The coordinator may pass it on with a value.
    #[test]
    fn names_that_a_coordinator_may_define_are_left_alone() {
        check(
            &[
                b"oozie.coord.application.path=/apps/c\nroot=/data\nfile=${root}/${currentYear}.csv\nother=${roott}/x\n",
            ],
            &[],
            expect![[r#"
                file = /data/${currentYear}.csv (0:3)
                oozie.coord.application.path = /apps/c (0:1)
                other = ${roott}/x (0:4)
                root = /data (0:2)
                suspicious_properties `other` `${roott}` in the value of `other` stays text: no property that is given has this name
            "#]],
        );
    }

    #[test]
    fn values_are_looked_at_wherever_they_are_given() {
        check(
            &[
                b"queue=etl # adhoc\n",
                b"<configuration>\n<property><name>pool</name><value>etl # adhoc</value></property>\n</configuration>",
            ],
            &[
                ("a", "etl # adhoc"),
                ("b", "/x/${nosuch}/y"),
                ("c", "/data/${timestamp()}"),
                ("d", r"C:\temp\new"),
                ("e", "/x/${f}/y"),
                ("f", ""),
                ("title", "Report #5"),
                ("uri", "${user.name}/${a}/${YEAR}"),
            ],
            expect![[r#"
                a = etl # adhoc (-D)
                b = /x/${nosuch}/y (-D)
                c = /data/${timestamp()} (-D)
                d = C:\temp\new (-D)
                e = /x//y (-D)
                f =  (-D)
                pool = etl # adhoc (1:2)
                queue = etl # adhoc (0:1)
                title = Report #5 (-D)
                uri = ${user.name}/etl # adhoc/${YEAR} (-D)
                suspicious_properties `-D a` `# adhoc` is part of the value: there are no comments in values
                suspicious_properties `-D b` `${nosuch}` in the value of `b` stays text: no property that is given has this name
                suspicious_properties `-D c` `${timestamp()}` in the value of `c` stays text: functions and operators in the value of a property are not evaluated
                suspicious_properties `-D e` `${f}` in the value of `e` is empty, so that the path means another place
                suspicious_properties `# adhoc` `# adhoc` is part of the value: a comment has a line of its own, which begins with `#`
                suspicious_properties `pool` `# adhoc` is part of the value: there are no comments in values
            "#]],
        );
    }

    #[test]
    fn latin_1_is_read_with_a_warning() {
        check(
            &[b"name=caf\xe9\n"],
            &[],
            expect![[r#"
                name = café (0:1)
                suspicious_properties `é` the file is not UTF-8 and is read as ISO 8859-1; `\uXXXX` is safe in both
            "#]],
        );
    }
}
