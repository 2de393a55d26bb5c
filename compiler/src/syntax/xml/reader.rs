//! Events to tree, and what makes a document well-formed.
//!
//! quick-xml splits the text; it is told to let everything pass that is judged here, where the places are known.

use std::{borrow::Cow, collections::BTreeSet};

use quick_xml::{
    Reader,
    errors::{Error, SyntaxError},
    events::Event,
};

use super::{
    MAX_DEPTH,
    attributes::{decode_value, scan},
    characters::split_name,
    document_too_deep::DocumentTooDeep,
    document_too_large::DocumentTooLarge,
    document_type::DocumentType,
    duplicate_attribute::DuplicateAttribute,
    element::{Attribute, Element, Name, TextKind, TextRuns, XmlDocument},
    empty_document::EmptyDocument,
    faults::{Fatal, Faults, advanced},
    invalid_name::{InvalidName, Named},
    invalid_namespace_declaration::InvalidNamespaceDeclaration,
    is_xml_space,
    namespaces::Namespaces,
    second_root::SecondRoot,
    unclosed_element::{Before, UnclosedElement},
    unclosed_markup::{Markup, UnclosedMarkup},
    undeclared_prefix::UndeclaredPrefix,
    unexpected_end_tag::UnexpectedEndTag,
};
use crate::{
    diagnostics::Sink,
    source::{FileId, MAX_FILE_SIZE, Span},
};

mod declaration;
mod text;

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Reads a document of at most `max_parts` parts; see [`parse`](super::parse).
pub(super) fn read<'a>(
    file: FileId,
    text: &'a str,
    max_parts: usize,
    sink: &mut Sink,
) -> Option<XmlDocument<'a>> {
    let mut faults = Faults::new(file, text, sink);
    if text.len() > MAX_FILE_SIZE {
        faults.fatal(DocumentTooLarge::Bytes(file));
        return None;
    }
    let mut builder = Builder {
        text,
        faults,
        namespaces: Namespaces::default(),
        open: Vec::new(),
        complete: Vec::new(),
        root: None,
        parts_left: max_parts,
        has_brackets: text.as_bytes().contains(&b']'),
        ampersands_until: 0,
        text_outside_reported: false,
        undeclared: BTreeSet::new(),
    };
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.allow_dangling_amp = true;
    config.allow_unmatched_ends = true;
    config.check_end_names = false;
    config.check_comments = false;
    loop {
        let step = match reader.read_event() {
            Ok(Event::Eof) => break,
            Ok(event) => builder.event(event),
            Err(error) => {
                // The reader takes a byte order mark away and does not count it.
                let skipped = if text.starts_with(BYTE_ORDER_MARK) {
                    BYTE_ORDER_MARK.len()
                } else {
                    0
                };
                let position = usize::try_from(reader.error_position()).unwrap_or(usize::MAX);
                Err(builder.broken_markup(&error, position.saturating_add(skipped)))
            }
        };
        if let Err(Fatal) = step {
            return None;
        }
    }
    builder.finish().ok()
}

struct Builder<'a, 's> {
    text: &'a str,
    faults: Faults<'s>,
    namespaces: Namespaces<'a>,
    /// The open elements, outermost first; at most [`MAX_DEPTH`], which bounds every recursion over the tree.
    open: Vec<OpenElement<'a>>,
    /// The complete elements that stand in an open one, in order. Each element takes its own from the end when it is
    /// closed, so that every list is allocated once, and none larger than it is.
    complete: Vec<Element<'a>>,
    root: Option<Element<'a>>,
    /// Elements, attributes and runs of text that may still come.
    parts_left: usize,
    /// Whether there is a `]` at all: hardly any document has the `]]>` that must not stand in text.
    has_brackets: bool,
    /// Up to where lone `&` have been reported.
    ampersands_until: u32,
    text_outside_reported: bool,
    /// Prefixes reported as undeclared: once each, since one declaration mends all of them.
    undeclared: BTreeSet<&'a str>,
}

struct OpenElement<'a> {
    element: Element<'a>,
    /// As it is written, to compare with the end tag.
    name: &'a str,
    /// The number of namespace declarations in scope around it.
    n_namespaces_around: usize,
    /// The number of complete elements before its own.
    n_complete_before: usize,
}

impl<'a> Builder<'a, '_> {
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
            // `read` ends at it.
            Event::Eof => Ok(()),
        }
    }

    /// A slice that the reader has given, as one of the text, and its offset.
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
                named: Named::Element,
                name,
                span: name_span,
                fault,
            })
        })?;
        if let Some(root) = &self.root {
            let first = root.name_span;
            return Err(self.faults.fatal(SecondRoot {
                name,
                span: name_span,
                first,
            }));
        }
        if self.open.len() >= MAX_DEPTH {
            return Err(self.faults.fatal(DocumentTooDeep { name: name_span }));
        }
        self.count_part(name_span)?;

        let n_namespaces_around = self.namespaces.len();
        let (attributes, declarations) = self.attributes(rest, name_span)?;
        let namespace = match self.namespaces.resolve(prefix) {
            Ok(namespace) => namespace,
            Err(_) => {
                self.undeclared_prefix(prefix, name_span, name_span)?;
                None
            }
        };
        let tag_end = name_span.start + self.length(content) + if is_empty { 2 } else { 1 };
        let start_tag_span = Span::new(self.faults.file, start - 1, tag_end);
        let element = Element {
            name: Name {
                prefix,
                local,
                namespace,
            },
            name_span,
            attributes,
            declarations,
            elements: Vec::new(),
            runs: TextRuns::default(),
            span: start_tag_span,
            start_tag_span,
            end_tag_span: None,
        };
        if is_empty {
            self.namespaces.truncate(n_namespaces_around);
            self.push_element(element);
        } else {
            self.open.push(OpenElement {
                element,
                name,
                n_namespaces_around,
                n_complete_before: self.complete.len(),
            });
        }
        Ok(())
    }

    /// The attributes and the namespace declarations of a tag.
    fn attributes(
        &mut self,
        content: &'a str,
        element_name: Span,
    ) -> Result<(Vec<Attribute<'a>>, Vec<Attribute<'a>>), Fatal> {
        let written = scan(content, element_name.end, &mut self.faults)?;
        if written.is_empty() {
            return Ok((Vec::new(), Vec::new()));
        }
        let n_declared = written
            .iter()
            .filter(|raw| raw.name.starts_with("xmlns"))
            .count();
        let mut declarations = Vec::with_capacity(n_declared);
        let mut attributes = Vec::with_capacity(written.len() - n_declared);
        for raw in written {
            let name_span = self.faults.span(raw.name_start, raw.name.len());
            self.count_part(name_span)?;
            let value = decode_value(raw.value, raw.value_start, &mut self.faults)?;
            let (prefix, local) = match split_name(raw.name) {
                Ok(name) => name,
                Err(fault) => {
                    self.faults.report(InvalidName {
                        named: Named::Attribute,
                        name: raw.name,
                        span: name_span,
                        fault,
                    })?;
                    continue;
                }
            };
            let value_span = self.faults.span(raw.value_start, raw.value.len());
            let attribute = Attribute {
                name: Name {
                    prefix,
                    local,
                    namespace: None,
                },
                name_span,
                value,
                value_span,
                span: Span::new(self.faults.file, name_span.start, value_span.end + 1),
            };
            match (prefix, local) {
                (None, "xmlns") | (Some("xmlns"), _) => declarations.push(attribute),
                (Some(_) | None, _) => attributes.push(attribute),
            }
        }
        self.declare(&mut declarations)?;
        for attribute in &mut attributes {
            if let prefix @ Some(_) = attribute.name.prefix {
                match self.namespaces.resolve(prefix) {
                    Ok(namespace) => attribute.name.namespace = namespace,
                    Err(_) => self.undeclared_prefix(prefix, attribute.name_span, element_name)?,
                }
            }
        }
        self.remove_duplicates(&mut attributes)?;
        Ok((attributes, declarations))
    }

    fn declare(&mut self, declarations: &mut Vec<Attribute<'a>>) -> Result<(), Fatal> {
        for declaration in declarations.iter_mut() {
            declaration.name.namespace = Some(self.namespaces.of_declarations());
        }
        self.remove_duplicates(declarations)?;
        for declaration in declarations {
            let prefix = declaration.name.prefix.map(|_| declaration.name.local);
            if let Err(fault) = self.namespaces.declare(prefix, declaration.value.as_str()) {
                let value_is_wrong = !declaration.value_span.is_empty();
                let span = if value_is_wrong {
                    declaration.value_span
                } else {
                    declaration.name_span
                };
                // What it would have declared is unknown, and so is what every name below means.
                return Err(self
                    .faults
                    .fatal(InvalidNamespaceDeclaration { fault, span }));
            }
        }
        Ok(())
    }

    fn undeclared_prefix(
        &mut self,
        prefix: Option<&'a str>,
        name: Span,
        element_name: Span,
    ) -> Result<(), Fatal> {
        let Some(prefix) = prefix else {
            return Ok(());
        };
        if !self.undeclared.insert(prefix) {
            return Ok(());
        }
        self.faults.report(UndeclaredPrefix {
            prefix,
            span: Span::new(name.file, name.start, advanced(name.start, prefix.len())),
            insertion: element_name.at_end(),
        })
    }

    /// Reports and removes every attribute whose name stands before it in the same tag.
    fn remove_duplicates(&mut self, attributes: &mut Vec<Attribute<'a>>) -> Result<(), Fatal> {
        if attributes.len() < 2 {
            return Ok(());
        }
        let key = |attribute: &Attribute<'a>| {
            // A prefix without a namespace has been reported; it must not make names equal.
            let prefix = attribute
                .name
                .namespace
                .is_none()
                .then_some(attribute.name.prefix);
            (
                attribute.name.namespace.clone(),
                prefix,
                attribute.name.local,
            )
        };
        let mut order: Vec<usize> = (0..attributes.len()).collect();
        order.sort_by_key(|&index| (key(&attributes[index]), index));
        let mut repeated: BTreeSet<u32> = BTreeSet::new();
        for group in
            order.chunk_by(|&left, &right| key(&attributes[left]) == key(&attributes[right]))
        {
            let first = attributes[group[0]].name_span;
            for &index in &group[1..] {
                let attribute = &attributes[index];
                repeated.insert(attribute.name_span.start);
                self.faults.report(DuplicateAttribute {
                    name: attribute.name.qualified(),
                    span: attribute.name_span,
                    first,
                })?;
            }
        }
        attributes.retain(|attribute| !repeated.contains(&attribute.name_span.start));
        Ok(())
    }

    fn end_tag(&mut self, name: &'a str, start: u32) -> Result<(), Fatal> {
        let span = self.faults.span(start, name.len());
        if let Some(open) = self.open.pop_if(|open| open.name == name) {
            let mut element = open.element;
            let name_end = span.range().end;
            let blanks = self.text[name_end..].find('>').unwrap_or(0);
            let end_tag = Span::new(self.faults.file, start - 2, advanced(span.end, blanks + 1));
            element.end_tag_span = Some(end_tag);
            element.span = element.start_tag_span.to(end_tag);
            element.elements = self.complete.split_off(open.n_complete_before);
            self.namespaces.truncate(open.n_namespaces_around);
            self.push_element(element);
            return Ok(());
        }
        if let Err(fault) = split_name(name) {
            return Err(self.faults.fatal(InvalidName {
                named: Named::EndTag,
                name,
                span,
                fault,
            }));
        }
        let is_open_further_out = self.open.iter().any(|open| open.name == name);
        Err(match self.open.last() {
            Some(open) if is_open_further_out => self.faults.fatal(UnclosedElement {
                name: open.name,
                opening: open.element.name_span,
                before: Before::EndTag {
                    name,
                    span: Span::new(span.file, span.start - 2, span.end),
                },
            }),
            Some(open) => self.faults.fatal(UnexpectedEndTag {
                name,
                span,
                open: Some((open.name, open.element.name_span)),
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

    fn push_element(&mut self, element: Element<'a>) {
        if self.open.is_empty() {
            self.root = Some(element);
        } else {
            self.complete.push(element);
        }
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

    /// The reader's own errors: markup without an end.
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
            // `<!DOCTYPE>`, of which the place is the `>`. The other kinds need checks that are off, or input that
            // is not a `str`; whatever they may come to mean, the markup is broken there.
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
            // Not all of it need be there: `<!-`.
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

    fn finish(mut self) -> Result<XmlDocument<'a>, Fatal> {
        if let Some(open) = self.open.last() {
            let end = self.text.trim_ascii_end().len();
            return Err(self.faults.fatal(UnclosedElement {
                name: open.name,
                opening: open.element.name_span,
                before: Before::EndOfFile {
                    span: self.faults.span(advanced(0, end), 0),
                    n_open_around: self.open.len() - 1,
                },
            }));
        }
        match self.root {
            // An element whose namespace is unknown would only make the next room say so again.
            Some(root) if self.undeclared.is_empty() => Ok(XmlDocument { root }),
            Some(_) => Err(Fatal),
            None if self.faults.is_empty() => Err(self.faults.fatal(EmptyDocument {
                file: self.faults.file,
            })),
            None => Err(Fatal),
        }
    }
}
