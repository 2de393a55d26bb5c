//! Builds the tree from events, and checks well-formedness.
//!
//! Text is split into tags and what is between them. [`plain`] is a fast path for tags in the usual form; for all other
//! markup, and whatever is broken, quick-xml determines where it ends. Its own checks are disabled for everything that is
//! checked here, where the spans are known.

use std::{borrow::Cow, collections::BTreeSet};

use quick_xml::{
    Reader,
    errors::{Error, SyntaxError},
    events::Event,
};

use super::{
    MAX_DEPTH,
    attributes::RawAttribute,
    characters::split_name,
    document_too_deep::DocumentTooDeep,
    document_too_large::DocumentTooLarge,
    document_type::DocumentType,
    empty_document::EmptyDocument,
    faults::{Fatal, Faults, advanced},
    invalid_name::{InvalidName, NamedItem},
    is_xml_space,
    namespaces::Namespaces,
    second_root::SecondRoot,
    tree::{AttributeData, ElementData, NONE, TextKind, XmlDocument, widened},
    unclosed_element::{InsteadOfEndTag, UnclosedElement},
    unclosed_markup::{Markup, UnclosedMarkup},
    unexpected_end_tag::UnexpectedEndTag,
};
use crate::{
    diagnostics::Sink,
    source::{FileId, MAX_FILE_SIZE, Span},
};

mod attributes;
mod declaration;
mod plain;
mod text;

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Parses a document of at most `max_parts` parts; see [`parse`](super::parse).
pub(super) fn read<'a>(
    file: FileId,
    text: &'a str,
    max_parts: usize,
    sink: &mut Sink,
) -> Option<XmlDocument<'a>> {
    read_by(Builder::plain_tag, file, text, max_parts, sink)
}

/// Like [`read`], with quick-xml's events only: [`plain`] must give the same result.
#[cfg(test)]
pub(super) fn read_by_events<'a>(
    file: FileId,
    text: &'a str,
    max_parts: usize,
    sink: &mut Sink,
) -> Option<XmlDocument<'a>> {
    read_by(|_, _| Ok(None), file, text, max_parts, sink)
}

fn read_by<'a, 's>(
    plain_tag: impl Fn(&mut Builder<'a, 's>, usize) -> Result<Option<usize>, Fatal>,
    file: FileId,
    text: &'a str,
    max_parts: usize,
    sink: &'s mut Sink,
) -> Option<XmlDocument<'a>> {
    let mut faults = Faults::new(file, text, sink);
    if text.len() > MAX_FILE_SIZE {
        faults.fatal(DocumentTooLarge::Bytes(file));
        return None;
    }
    let mut builder = Builder {
        text,
        faults,
        document: XmlDocument::new(file, text),
        namespaces: Namespaces::default(),
        open: Vec::new(),
        written: Vec::new(),
        declared: Vec::new(),
        other: Vec::new(),
        parts_left: max_parts,
        has_brackets: text.as_bytes().contains(&b']'),
        ampersands_until: 0,
        text_outside_reported: false,
        undeclared: BTreeSet::new(),
    };
    // Not a character of the document.
    let mut at = if text.starts_with(BYTE_ORDER_MARK) {
        BYTE_ORDER_MARK.len()
    } else {
        0
    };
    while let Some(first) = text.as_bytes().get(at) {
        let step = match first {
            b'<' => match plain_tag(&mut builder, at) {
                Ok(Some(end)) => Ok(end),
                Ok(None) => builder.event_at(at),
                Err(fatal) => Err(fatal),
            },
            b'&' => builder.event_at(at),
            _ => builder.text_at(at),
        };
        match step {
            Ok(end) => at = end,
            Err(Fatal) => return None,
        }
    }
    builder.finish().ok()
}

struct Builder<'a, 's> {
    text: &'a str,
    faults: Faults<'s>,
    /// The document so far.
    document: XmlDocument<'a>,
    namespaces: Namespaces<'a>,
    /// The open elements, outermost first; at most [`MAX_DEPTH`], which bounds every recursion over the tree.
    open: Vec<OpenElement<'a>>,
    /// The attributes of the tag being read, as written, and then resolved. Reused between tags to avoid allocations.
    written: Vec<RawAttribute<'a>>,
    declared: Vec<AttributeData>,
    other: Vec<AttributeData>,
    /// The remaining number of elements, attributes and runs of text.
    parts_left: usize,
    /// Whether the text has any `]`: hardly any document has the `]]>` that text must not contain.
    has_brackets: bool,
    /// The offset up to which unescaped `&` have been reported.
    ampersands_until: u32,
    text_outside_reported: bool,
    /// Prefixes reported as undeclared: once each, since one declaration fixes all of them.
    undeclared: BTreeSet<&'a str>,
}

struct OpenElement<'a> {
    index: u32,
    /// As written, to compare with the end tag.
    name: &'a str,
    /// The number of namespace declarations in scope outside of it.
    n_namespaces_around: usize,
    /// Its last run of text so far.
    last_run: u32,
}

/// A start tag whose attributes have been split.
struct StartTag<'a> {
    /// As written.
    name: &'a str,
    prefix: Option<&'a str>,
    local: &'a str,
    name_span: Span,
    /// After its `>`.
    end: u32,
    is_empty: bool,
}

impl<'a> Builder<'a, '_> {
    /// Processes the markup or the reference at `at` and returns where it ends.
    fn event_at(&mut self, at: usize) -> Result<usize, Fatal> {
        let mut reader = Reader::from_str(&self.text[at..]);
        let config = reader.config_mut();
        config.allow_dangling_amp = true;
        config.allow_unmatched_ends = true;
        config.check_end_names = false;
        config.check_comments = false;
        let behind = |length: u64| at.saturating_add(usize::try_from(length).unwrap_or(usize::MAX));
        match reader.read_event() {
            Ok(event) => {
                self.event(event)?;
                Ok(behind(reader.buffer_position()))
            }
            Err(error) => Err(self.broken_markup(&error, behind(reader.error_position()))),
        }
    }

    /// Processes the text at `at`, up to the next markup or reference, and returns where it ends.
    fn text_at(&mut self, at: usize) -> Result<usize, Fatal> {
        let ends_text = |byte: &u8| matches!(byte, b'<' | b'&');
        let rest = &self.text[at..];
        let length = rest.as_bytes().iter().position(ends_text);
        let text = &rest[..length.unwrap_or(rest.len())];
        self.text(text, advanced(0, at))?;
        Ok(at + text.len())
    }

    fn event(&mut self, event: Event<'a>) -> Result<(), Fatal> {
        match event {
            Event::Start(tag) => {
                let (content, start) = self.place(&tag);
                self.start_tag(content, start, false)
            }
            Event::Empty(tag) => {
                let (content, start) = self.place(&tag);
                self.start_tag(content, start, true)
            }
            Event::End(tag) => {
                let (name, start) = self.place(tag.name().as_ref());
                self.end_tag(name, start)
            }
            Event::Text(text) => {
                let (raw, start) = self.place_of(&text.into_inner());
                self.text(raw, start)
            }
            Event::CData(text) => {
                let (raw, start) = self.place_of(&text.into_inner());
                self.check_characters(raw, start)?;
                self.push_text(raw, start, TextKind::Plain)
            }
            Event::GeneralRef(reference) => {
                let (name, start) = self.place_of(&reference.into_inner());
                self.reference(name, start)
            }
            Event::Comment(comment) => {
                let (raw, start) = self.place_of(&comment.into_inner());
                self.comment(raw, start)
            }
            Event::PI(instruction) => {
                let (raw, start) = self.place_of(&instruction.into_inner());
                declaration::check_instruction(raw, start, &mut self.faults)?;
                self.check_characters(raw, start)
            }
            Event::Decl(declaration) => {
                let (raw, start) = self.place(&declaration);
                declaration::check(self.text, raw, start, &mut self.faults)
            }
            Event::DocType(name) => {
                let (_, name_start) = self.place_of(&name.into_inner());
                Err(self.document_type(name_start))
            }
            // Unreachable: no event is requested at the end of the text.
            Event::Eof => Ok(()),
        }
    }

    /// A slice returned by quick-xml, as a slice of the text, and its offset.
    fn place(&self, slice: &str) -> (&'a str, u32) {
        let offset = slice
            .as_ptr()
            .addr()
            .wrapping_sub(self.text.as_ptr().addr());
        let slice = self
            .text
            .get(offset..offset.saturating_add(slice.len()))
            .expect("the reader borrows from the text");
        (slice, advanced(0, offset))
    }

    fn place_of(&self, slice: &Cow<'a, str>) -> (&'a str, u32) {
        self.place(slice)
    }

    fn start_tag(&mut self, content: &'a str, start: u32, is_empty: bool) -> Result<(), Fatal> {
        let name_length = content
            .bytes()
            .position(is_xml_space)
            .unwrap_or(content.len());
        let (name, rest) = content.split_at(name_length);
        let name_span = self.faults.span(start, name.len());
        let (prefix, local) = split_name(name).map_err(|fault| {
            self.faults.fatal(InvalidName {
                named: NamedItem::Element,
                name,
                span: name_span,
                fault,
            })
        })?;
        self.check_place(name, name_span)?;
        self.split_attributes(rest, name_span)?;
        self.element(&StartTag {
            name,
            prefix,
            local,
            name_span,
            end: start + self.length(content) + if is_empty { 2 } else { 1 },
            is_empty,
        })
    }

    /// Checks whether an element may start here, and the limits allow one more.
    fn check_place(&mut self, name: &'a str, name_span: Span) -> Result<(), Fatal> {
        if let (Some(first), []) = (self.root_name(), self.open.as_slice()) {
            return Err(self.faults.fatal(SecondRoot {
                name,
                span: name_span,
                first,
            }));
        }
        if self.open.len() >= MAX_DEPTH {
            return Err(self.faults.fatal(DocumentTooDeep { name: name_span }));
        }
        self.count_part(name_span)
    }

    /// Adds an element. Its attributes are those in `written`.
    fn element(&mut self, tag: &StartTag<'a>) -> Result<(), Fatal> {
        let n_namespaces_around = self.namespaces.len();
        let first_attribute = advanced(0, self.document.attributes.len());
        self.attributes(tag.name_span)?;
        let namespace = match self.namespaces.resolve(tag.prefix) {
            Ok(namespace) => namespace,
            Err(_) => {
                self.undeclared_prefix(tag.prefix, tag.name_span, tag.name_span)?;
                NONE
            }
        };
        let index = advanced(0, self.document.elements.len());
        self.document.elements.push(ElementData {
            name_start: tag.name_span.start,
            local_start: tag.name_span.end - self.length(tag.local),
            name_end: tag.name_span.end,
            start_tag_end: tag.end,
            end_tag_start: NONE,
            end: tag.end,
            next: index + 1,
            first_attribute,
            first_run: NONE,
            namespace,
        });
        if tag.is_empty {
            self.namespaces.truncate(n_namespaces_around);
        } else {
            self.open.push(OpenElement {
                index,
                name: tag.name,
                n_namespaces_around,
                last_run: NONE,
            });
        }
        Ok(())
    }

    fn end_tag(&mut self, name: &'a str, start: u32) -> Result<(), Fatal> {
        let span = self.faults.span(start, name.len());
        if let Some(open) = self.open.pop_if(|open| open.name == name) {
            let name_end = span.range().end;
            let blanks = match self.text.as_bytes().get(name_end) {
                Some(b'>') => 0,
                Some(_) | None => self.text[name_end..].find('>').unwrap_or(0),
            };
            let next = advanced(0, self.document.elements.len());
            let element = &mut self.document.elements[widened(open.index)];
            element.end_tag_start = start - 2;
            element.end = advanced(span.end, blanks + 1);
            element.next = next;
            self.namespaces.truncate(open.n_namespaces_around);
            return Ok(());
        }
        if let Err(fault) = split_name(name) {
            return Err(self.faults.fatal(InvalidName {
                named: NamedItem::EndTag,
                name,
                span,
                fault,
            }));
        }
        let is_open_further_out = self.open.iter().any(|open| open.name == name);
        Err(match self.open.last() {
            Some(open) if is_open_further_out => self.faults.fatal(UnclosedElement {
                name: open.name,
                opening: self.document.element(open.index).name_span,
                before: InsteadOfEndTag::EndTag {
                    name,
                    span: Span::new(span.file, span.start - 2, span.end),
                },
                is_in_text: self.is_in_text(open),
            }),
            Some(open) => self.faults.fatal(UnexpectedEndTag {
                name,
                span,
                open: Some((open.name, self.document.element(open.index).name_span)),
            }),
            None => self.faults.fatal(UnexpectedEndTag {
                name,
                span,
                open: None,
            }),
        })
    }

    fn document_type(&mut self, name_start: u32) -> Fatal {
        const OPENING: &str = "<!DOCTYPE";
        let name = Span::empty(self.faults.file, name_start).range().start;
        let opening = self.text[..name].rfind('<').unwrap_or(name);
        self.faults.fatal(DocumentType {
            span: self.faults.span(advanced(0, opening), OPENING.len()),
        })
    }

    /// The span of the root's name, once there is a root.
    fn root_name(&self) -> Option<Span> {
        let root = self.document.elements.first()?;
        Some(self.document.span(root.name_start, root.name_end))
    }

    fn count_part(&mut self, span: Span) -> Result<(), Fatal> {
        match self.parts_left.checked_sub(1) {
            Some(left) => {
                self.parts_left = left;
                Ok(())
            }
            None => Err(self.faults.fatal(DocumentTooLarge::Parts(span))),
        }
    }

    /// The text of `length` bytes at `start`.
    fn raw(&self, start: u32, length: usize) -> (&'a str, u32) {
        let range = self.faults.span(start, length).range();
        (&self.text[range], start)
    }

    fn length(&self, part: &str) -> u32 {
        advanced(0, part.len())
    }

    /// The errors of quick-xml itself: markup without an end.
    fn broken_markup(&mut self, error: &Error, position: usize) -> Fatal {
        let position = self.text.floor_char_boundary(position);
        let start = advanced(0, position);
        let (kind, opening) = match error {
            Error::Syntax(error) => match error {
                SyntaxError::UnclosedPI => (Markup::Instruction, "<?"),
                SyntaxError::UnclosedXmlDecl => (Markup::Declaration, "<?xml"),
                SyntaxError::UnclosedComment => (Markup::Comment, "<!--"),
                SyntaxError::UnclosedCData => (Markup::CData, "<![CDATA["),
                SyntaxError::UnclosedTag => (Markup::Tag, "<"),
                SyntaxError::UnclosedSingleQuotedAttributeValue => (Markup::Value('\''), "<"),
                SyntaxError::UnclosedDoubleQuotedAttributeValue => (Markup::Value('"'), "<"),
                SyntaxError::InvalidBangMarkup => (Markup::Unknown, "<!"),
                SyntaxError::UnclosedDoctype => return self.document_type(start + 1),
            },
            // `<!DOCTYPE>`, whose position is that of the `>`. The other kinds need checks that are disabled, or input that
            // is not a `str`; whatever their meaning, the markup is broken there.
            Error::IllFormed(_)
            | Error::Io(_)
            | Error::InvalidAttr(_)
            | Error::Encoding(_)
            | Error::Escape(_)
            | Error::Namespace(_) => return self.document_type(start),
        };
        let shown = match kind {
            Markup::Tag | Markup::Value(_) => {
                let rest = &self.text[position + opening.len()..];
                let name = rest.find(|c: char| {
                    c.is_ascii() && !c.is_ascii_alphanumeric() && c != '-' && c != ':'
                });
                opening.len() + name.unwrap_or(rest.len())
            }
            Markup::Comment
            | Markup::CData
            | Markup::Declaration
            | Markup::Instruction
            // The opening may be incomplete: `<!-`.
            | Markup::Unknown => self.text.as_bytes()[position..]
                .iter()
                .zip(opening.bytes())
                .take_while(|(found, wanted)| *found == wanted)
                .count(),
        };
        self.faults.fatal(UnclosedMarkup {
            kind,
            span: self.faults.span(start, shown),
        })
    }

    /// Whether an open element's start tag, without attributes, comes right behind text.
    fn is_in_text(&self, open: &OpenElement<'_>) -> bool {
        let name = self.document.element(open.index).name_span.range();
        let before = self.text.get(..name.start.saturating_sub(1));
        let last = before.and_then(|text| text.chars().next_back());
        let is_text = |last: char| last != '>' && !last.is_whitespace();
        last.is_some_and(is_text) && self.text.as_bytes().get(name.end) == Some(&b'>')
    }

    fn finish(mut self) -> Result<XmlDocument<'a>, Fatal> {
        if let Some(open) = self.open.last() {
            let end = self.text.trim_ascii_end().len();
            return Err(self.faults.fatal(UnclosedElement {
                name: open.name,
                opening: self.document.element(open.index).name_span,
                before: InsteadOfEndTag::EndOfFile {
                    span: self.faults.span(advanced(0, end), 0),
                    n_open_around: self.open.len() - 1,
                },
                is_in_text: self.is_in_text(open),
            }));
        }
        if self.document.elements.is_empty() && self.faults.is_empty() {
            return Err(self.faults.fatal(EmptyDocument {
                file: self.faults.file,
            }));
        }
        // With an unresolved namespace, the next room would only report follow-up errors.
        if self.document.elements.is_empty() || !self.undeclared.is_empty() {
            return Err(Fatal);
        }
        self.document.namespaces = self.namespaces.into_names();
        Ok(self.document)
    }
}
