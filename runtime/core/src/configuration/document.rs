//! Converts XML events to properties.
//!
//! quick-xml splits text at entities and CDATA boundaries and leaves part of the well-formedness checks to its caller (one root,
//! nothing around it, everything closed); both are handled here.

use std::{collections::BTreeMap, mem};

use quick_xml::{
    Error, Reader,
    escape::resolve_xml_entity,
    events::{BytesRef, BytesStart, Event, attributes::AttrError},
};

use crate::limits;

use super::{
    Configuration, ConfigurationError, ConfigurationErrorKind, ConfigurationWarning,
    ConfigurationWarningKind, Property,
};

/// Deeper nesting is an attack or a mistake; nested `configuration` elements are rare at all.
const MAX_DEPTH: usize = 256;

pub(super) fn parse(text: &str) -> Result<Configuration, ConfigurationError> {
    // A byte order mark shifts the reader's offsets, so it is removed first; columns do not count it either.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut xml = Reader::from_str(text);
    xml.config_mut().enable_all_checks(true);
    let mut document = ConfigurationReader::new(text);
    document.check_characters()?;
    loop {
        let start = offset(xml.buffer_position());
        let event = match xml.read_event() {
            Ok(event) => event,
            Err(error) => {
                let cause = match error {
                    Error::Syntax(error) => error.to_string(),
                    Error::IllFormed(error) => error.to_string(),
                    other => other.to_string(),
                };
                let kind = ConfigurationErrorKind::NotXml { cause };
                return Err(document.error(kind, offset(xml.error_position())));
            }
        };
        match event {
            Event::Start(tag) => {
                document.check_attributes(&tag, start)?;
                document.open(local_name(&tag), start)?;
            }
            Event::Empty(tag) => {
                document.check_attributes(&tag, start)?;
                document.open(local_name(&tag), start)?;
                document.close();
            }
            Event::End(_) => document.close(),
            Event::Text(content) => document.text(&content.xml10_content(), start)?,
            Event::CData(content) => document.text(&content.xml10_content(), start)?,
            Event::GeneralRef(reference) => {
                let resolved = document.resolve(&reference, start)?;
                document.text(&resolved, start)?;
            }
            Event::DocType(_) => return Err(document.error(ConfigurationErrorKind::Dtd, start)),
            Event::Decl(_) if start > 0 => {
                let cause = "the XML declaration is not at the start".to_owned();
                return Err(document.error(ConfigurationErrorKind::NotXml { cause }, start));
            }
            Event::Decl(_) | Event::Comment(_) | Event::PI(_) => {}
            Event::Eof => return document.finish(),
        }
    }
}

/// Offsets into a `&str` always fit into `usize`.
fn offset(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}

fn local_name(tag: &BytesStart<'_>) -> String {
    tag.local_name().into_inner().to_owned()
}

/// An open element.
#[derive(Debug)]
enum ConfigurationElement {
    Configuration,
    Property {
        start: usize,
    },
    Name,
    Value,
    /// `final`, `description`, `source` and unknown elements: skipped with all their content.
    Ignored,
}

struct ConfigurationReader<'a> {
    source: &'a str,
    open: Vec<(ConfigurationElement, String)>,
    has_root: bool,
    /// The text of the last `name` and `value` of the open property.
    name: Option<LocatedText>,
    value: Option<LocatedText>,
    /// The text of the open `name` or `value`.
    text: LocatedText,
    first_lines: BTreeMap<String, usize>,
    configuration: Configuration,
    places: LineColumns<'a>,
}

/// A text, and the position of its first non-blank character.
#[derive(Debug, Default)]
struct LocatedText {
    text: String,
    start: Option<usize>,
}

impl<'a> ConfigurationReader<'a> {
    fn new(source: &'a str) -> Self {
        ConfigurationReader {
            source,
            open: Vec::new(),
            has_root: false,
            name: None,
            value: None,
            text: LocatedText::default(),
            first_lines: BTreeMap::new(),
            configuration: Configuration::default(),
            places: LineColumns::new(source),
        }
    }

    fn error(&mut self, kind: ConfigurationErrorKind, at: usize) -> ConfigurationError {
        let (line, column) = self.places.locate(at);
        ConfigurationError {
            kind,
            line,
            column,
            offset: at,
        }
    }

    fn warn(&mut self, kind: ConfigurationWarningKind, at: usize) {
        let (line, column) = self.places.locate(at);
        self.configuration.warnings.push(ConfigurationWarning {
            kind,
            line,
            column,
            offset: at,
        });
    }

    /// Checks for characters that XML does not allow, which quick-xml accepts.
    fn check_characters(&mut self) -> Result<(), ConfigurationError> {
        match self.source.char_indices().find(|&(_, c)| !is_xml_char(c)) {
            Some((at, c)) => {
                let cause = format!("the character U+{:04X} is not allowed", u32::from(c));
                Err(self.error(ConfigurationErrorKind::NotXml { cause }, at))
            }
            None => Ok(()),
        }
    }

    /// Attributes mean nothing here, but a document with broken ones is not XML.
    fn check_attributes(
        &mut self,
        tag: &BytesStart<'_>,
        start: usize,
    ) -> Result<(), ConfigurationError> {
        for attribute in tag.attributes() {
            if let Err(error) = attribute {
                let (at, cause) = attribute_fault(&error);
                let kind = ConfigurationErrorKind::NotXml {
                    cause: cause.to_owned(),
                };
                return Err(self.error(kind, start + "<".len() + at));
            }
        }
        Ok(())
    }

    fn open(&mut self, element: String, start: usize) -> Result<(), ConfigurationError> {
        if self.open.len() >= MAX_DEPTH {
            return Err(self.error(ConfigurationErrorKind::TooDeep { limit: MAX_DEPTH }, start));
        }
        let open = match self.open.last() {
            None if self.has_root => {
                return Err(self.error(ConfigurationErrorKind::AfterRoot, start));
            }
            None if element == "configuration" => {
                self.has_root = true;
                ConfigurationElement::Configuration
            }
            None => return Err(self.error(ConfigurationErrorKind::WrongRoot { element }, start)),
            Some((ConfigurationElement::Configuration, _)) => match element.as_str() {
                "configuration" => ConfigurationElement::Configuration,
                "property" => {
                    self.name = None;
                    self.value = None;
                    ConfigurationElement::Property { start }
                }
                "include" => return Err(self.error(ConfigurationErrorKind::Include, start)),
                _ => {
                    return Err(
                        self.error(ConfigurationErrorKind::UnexpectedElement { element }, start)
                    );
                }
            },
            Some((ConfigurationElement::Property { .. }, _)) => match element.as_str() {
                "name" => {
                    self.text = LocatedText::default();
                    ConfigurationElement::Name
                }
                "value" => {
                    self.text = LocatedText::default();
                    ConfigurationElement::Value
                }
                "final" | "description" | "source" => ConfigurationElement::Ignored,
                "include" => return Err(self.error(ConfigurationErrorKind::Include, start)),
                _ => {
                    let kind = ConfigurationWarningKind::UnknownElement {
                        element: element.clone(),
                    };
                    self.warn(kind, start);
                    ConfigurationElement::Ignored
                }
            },
            Some((ConfigurationElement::Name | ConfigurationElement::Value, parent)) => {
                let kind = ConfigurationErrorKind::ElementInText {
                    element,
                    parent: parent.clone(),
                };
                return Err(self.error(kind, start));
            }
            Some((ConfigurationElement::Ignored, _)) => ConfigurationElement::Ignored,
        };
        self.open.push((open, element));
        Ok(())
    }

    /// quick-xml has already refused an end tag that matches no open element.
    fn close(&mut self) {
        let Some((closed, _)) = self.open.pop() else {
            return;
        };
        match closed {
            ConfigurationElement::Configuration | ConfigurationElement::Ignored => {}
            // Hadoop reads the last `name` and `value` of a property.
            ConfigurationElement::Name => self.name = Some(mem::take(&mut self.text)),
            ConfigurationElement::Value => self.value = Some(mem::take(&mut self.text)),
            ConfigurationElement::Property { start } => self.close_property(start),
        }
    }

    fn close_property(&mut self, start: usize) {
        let name = self.name.take().unwrap_or_default();
        let value = self.value.take().unwrap_or_default().text;
        let trimmed = name.text.trim();
        let name_start = name.start.unwrap_or(start);
        if trimmed.is_empty() {
            self.warn(ConfigurationWarningKind::EmptyName, start);
            return;
        }
        if value.is_empty() {
            self.warn(
                ConfigurationWarningKind::EmptyValue {
                    name: trimmed.to_owned(),
                },
                name_start,
            );
            return;
        }
        let (line, _) = self.places.locate(name_start);
        if let Some(&first_line) = self.first_lines.get(trimmed) {
            let kind = ConfigurationWarningKind::DuplicateName {
                name: trimmed.to_owned(),
                first_line,
            };
            self.warn(kind, name_start);
        } else {
            self.first_lines.insert(trimmed.to_owned(), line);
        }
        self.configuration.properties.push(Property {
            name: trimmed.to_owned(),
            value,
            line,
            offset: name_start,
        });
    }

    fn text(&mut self, text: &str, start: usize) -> Result<(), ConfigurationError> {
        let first = text
            .find(|c: char| !c.is_whitespace())
            .map(|blanks| self.skip_blanks(start, blanks));
        match self.open.last() {
            Some((ConfigurationElement::Name | ConfigurationElement::Value, _)) => {
                if limits::push(&mut self.text.text, text).is_err() {
                    return Err(self.error(ConfigurationErrorKind::TooLong, start));
                }
                self.text.start = self.text.start.or(first);
                Ok(())
            }
            Some((ConfigurationElement::Ignored, _)) => Ok(()),
            Some((
                ConfigurationElement::Configuration | ConfigurationElement::Property { .. },
                _,
            )) => match first {
                Some(first) => Err(self.error(ConfigurationErrorKind::UnexpectedText, first)),
                None => Ok(()),
            },
            None => match first {
                Some(first) if self.has_root => {
                    Err(self.error(ConfigurationErrorKind::AfterRoot, first))
                }
                Some(first) => {
                    let kind = ConfigurationErrorKind::NotXml {
                        cause: "text before the root element".to_owned(),
                    };
                    Err(self.error(kind, first))
                }
                None => Ok(()),
            },
        }
    }

    /// The offset in the source of a text's first non-blank character. `blanks` counts decoded text, in which line ends are
    /// shorter, so the source is scanned again.
    fn skip_blanks(&self, start: usize, blanks: usize) -> usize {
        if blanks == 0 {
            return start;
        }
        let rest = self.source.get(start..).unwrap_or_default();
        start + (rest.len() - rest.trim_start().len())
    }

    fn resolve(
        &mut self,
        reference: &BytesRef<'_>,
        start: usize,
    ) -> Result<String, ConfigurationError> {
        if reference.is_char_ref() {
            return match reference.resolve_char_ref() {
                Ok(Some(c)) if is_xml_char(c) => Ok(c.to_string()),
                Ok(_) | Err(_) => {
                    let kind = ConfigurationErrorKind::BadCharacterReference {
                        reference: reference.to_string(),
                    };
                    Err(self.error(kind, start))
                }
            };
        }
        match resolve_xml_entity(reference) {
            Some(text) => Ok(text.to_owned()),
            None => Err(self.error(
                ConfigurationErrorKind::UnknownEntity {
                    entity: reference.to_string(),
                },
                start,
            )),
        }
    }

    fn finish(mut self) -> Result<Configuration, ConfigurationError> {
        let end = self.source.len();
        if let Some((_, element)) = self.open.pop() {
            return Err(self.error(ConfigurationErrorKind::Unclosed { element }, end));
        }
        if !self.has_root {
            return Err(self.error(ConfigurationErrorKind::Empty, 0));
        }
        self.configuration
            .warnings
            .sort_by_key(|warning| (warning.line, warning.column));
        Ok(self.configuration)
    }
}

/// Where an attribute is malformed, relative to the tag's `<`, and how.
fn attribute_fault(error: &AttrError) -> (usize, &'static str) {
    match *error {
        AttrError::ExpectedEq(at) => (at, "an attribute has no `=`"),
        AttrError::ExpectedValue(at) => (at, "an attribute has no value"),
        AttrError::UnquotedValue(at) => (at, "the value of an attribute has no quotes"),
        AttrError::ExpectedQuote(at, _) => (at, "the value of an attribute has no closing quote"),
        AttrError::Duplicated(at, _) => (at, "an attribute appears twice in one tag"),
    }
}

/// The `Char` production of XML 1.0.
pub(super) fn is_xml_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

/// Converts offsets to lines and columns. Continues from the last answer, so that a whole document costs one scan, even if it is
/// a single line.
struct LineColumns<'a> {
    source: &'a str,
    /// The last position that was asked for.
    offset: usize,
    line: usize,
    column: usize,
}

impl<'a> LineColumns<'a> {
    fn new(source: &'a str) -> Self {
        LineColumns {
            source,
            offset: 0,
            line: 1,
            column: 1,
        }
    }

    fn locate(&mut self, offset: usize) -> (usize, usize) {
        let offset = offset.min(self.source.len());
        if offset < self.offset {
            // A property is reported when it ends, which may be lines after its start.
            let passed = self.source.get(offset..self.offset).unwrap_or_default();
            let n_line_ends = passed.bytes().filter(|&byte| byte == b'\n').count();
            if n_line_ends == 0 {
                self.column -= passed.chars().count();
            } else {
                self.line -= n_line_ends;
                let before = self.source.get(..offset).unwrap_or_default();
                let line_start = before.rfind('\n').map_or(0, |line_end| line_end + 1);
                let in_line = before.get(line_start..).unwrap_or_default();
                self.column = in_line.chars().count() + 1;
            }
        } else {
            let passed = self.source.get(self.offset..offset).unwrap_or_default();
            match passed.rfind('\n') {
                Some(line_end) => {
                    self.line += passed.bytes().filter(|&byte| byte == b'\n').count();
                    let in_line = passed.get(line_end + 1..).unwrap_or_default();
                    self.column = in_line.chars().count() + 1;
                }
                None => self.column += passed.chars().count(),
            }
        }
        self.offset = offset;
        (self.line, self.column)
    }
}
