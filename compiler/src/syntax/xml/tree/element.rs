//! The traversal interface of the tree: elements, attributes and runs of text, with their spans.
//!
//! All are small values that refer to the [`XmlDocument`]; text is decoded on demand.

use std::fmt;

use super::{AttributeData, NONE, RunData, XmlDocument, widened};
use crate::{
    source::{FileId, Span},
    syntax::xml::{
        decoded::{Decoded, DecodedBuilder},
        is_xml_space,
    },
};

/// A name with its namespace. Prefix and namespace are looked up on demand: most elements only need the local part.
#[derive(Clone, Copy)]
pub struct Name<'a> {
    pub local: &'a str,
    pub(in crate::syntax::xml) document: &'a XmlDocument<'a>,
    /// The offsets of the name, and of its local part.
    pub(in crate::syntax::xml) start: u32,
    pub(in crate::syntax::xml) local_start: u32,
    /// [`NONE`] if there is no namespace.
    pub(in crate::syntax::xml) namespace: u32,
}

impl<'a> Name<'a> {
    pub fn prefix(&self) -> Option<&'a str> {
        self.document.prefix(self.start, self.local_start)
    }

    /// Always `None` for an attribute without prefix, as XML specifies.
    pub fn namespace(&self) -> Option<&'a str> {
        let names = &self.document.namespaces;
        names.get(widened(self.namespace)).map(|name| &**name)
    }

    /// The name as written.
    pub fn qualified(&self) -> String {
        match self.prefix() {
            Some(prefix) => format!("{prefix}:{}", self.local),
            None => self.local.to_owned(),
        }
    }
}

impl fmt::Debug for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Name")
            .field("prefix", &self.prefix())
            .field("local", &self.local)
            .field("namespace", &self.namespace())
            .finish()
    }
}

/// An element. A *node* is a node of a workflow.
#[derive(Clone, Copy)]
pub struct Element<'a> {
    pub name: Name<'a>,
    /// The name in the start tag, prefix included: where a mistake in the element is shown.
    pub name_span: Span,
    /// The index in the elements of the document.
    pub(in crate::syntax::xml) index: u32,
}

/// An attribute or a namespace declaration.
#[derive(Debug, Clone)]
pub struct Attribute<'a> {
    pub name: Name<'a>,
    pub name_span: Span,
    pub value: Decoded<'a>,
    /// Without the quotes.
    pub value_span: Span,
}

/// A part of an element's text, raw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextRun<'a> {
    pub(in crate::syntax::xml) raw: &'a str,
    pub(in crate::syntax::xml) kind: TextKind,
    pub(in crate::syntax::xml) span: Span,
}

/// How a run of text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::syntax::xml) enum TextKind {
    /// As it is, or in a CDATA section, whose content is `raw`.
    Plain,
    /// A reference to one character.
    Reference(char),
}

impl TextRun<'_> {
    /// Its span, without the brackets of a CDATA section.
    pub fn span(self) -> Span {
        self.span
    }

    /// Whether it consists of blanks, tabs and line ends only.
    pub fn is_blank(self) -> bool {
        match self.kind {
            TextKind::Plain => self.raw.bytes().all(is_xml_space),
            TextKind::Reference(c) => c.is_ascii() && is_xml_space(c as u8),
        }
    }

    fn push_to(self, decoded: &mut DecodedBuilder) {
        match self.kind {
            TextKind::Plain => decoded.push_with_line_ends(self.raw, self.span.start),
            TextKind::Reference(c) => {
                decoded.push(c.encode_utf8(&mut [0; 4]), self.span.start..self.span.end);
            }
        }
    }
}

impl fmt::Debug for Element<'_> {
    /// Without the document that it refers to.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Element")
            .field("name", &self.name)
            .field("name_span", &self.name_span)
            .finish_non_exhaustive()
    }
}

impl<'a> Element<'a> {
    /// The file that it is in.
    pub fn file(&self) -> FileId {
        self.name_span.file
    }

    fn document(&self) -> &'a XmlDocument<'a> {
        self.name.document
    }

    /// The whole element, from `<` of the start tag to `>` of the end tag.
    pub fn span(&self) -> Span {
        self.start_tag_span().to(self
            .document()
            .span(self.name_span.end, self.document().data(self.index).end))
    }

    pub fn start_tag_span(&self) -> Span {
        let data = self.document().data(self.index);
        self.document()
            .span(data.name_start - 1, data.start_tag_end)
    }

    /// `None` for `<a/>`.
    pub fn end_tag_span(&self) -> Option<Span> {
        let data = self.document().data(self.index);
        (data.end_tag_start != NONE).then(|| self.document().span(data.end_tag_start, data.end))
    }

    /// The child elements, in order.
    pub fn elements(&self) -> Elements<'a> {
        Elements {
            document: self.document(),
            next: self.index + 1,
            end: self.document().data(self.index).next,
        }
    }

    /// The child elements of that local name, in any namespace.
    pub fn elements_named<'b>(
        &self,
        local: &'b str,
    ) -> impl Iterator<Item = Element<'a>> + use<'a, 'b> {
        let mut elements = self.elements();
        std::iter::from_fn(move || elements.next_named(local))
    }

    /// The first child element of that local name, in any namespace.
    pub fn element(&self, local: &str) -> Option<Element<'a>> {
        self.elements().next_named(local)
    }

    /// Whether its start tag consists of a name only: no attribute, no namespace declaration.
    pub fn has_no_attributes(&self) -> bool {
        self.document().attributes_of(self.index).is_empty()
    }

    /// In document order. Namespace declarations are not among them.
    pub fn attributes(&self) -> impl Iterator<Item = Attribute<'a>> + use<'a> {
        self.written_attributes(false)
    }

    /// `xmlns` and `xmlns:…` attributes, in document order.
    pub fn declarations(&self) -> impl Iterator<Item = Attribute<'a>> + use<'a> {
        self.written_attributes(true)
    }

    fn written_attributes(
        &self,
        are_declarations: bool,
    ) -> impl Iterator<Item = Attribute<'a>> + use<'a> {
        let document = self.document();
        document
            .attributes_of(self.index)
            .iter()
            .filter(move |attribute| attribute.is_declaration == are_declarations)
            .map(move |attribute| document.attribute(attribute))
    }

    /// The attribute of that name without a namespace.
    pub fn attribute(&self, local: &str) -> Option<Attribute<'a>> {
        let document = self.document();
        let is_wanted = |attribute: &&AttributeData| {
            attribute.namespace == NONE
                && document.is_written(attribute.local_start, attribute.name_end, local)
        };
        let found = document.attributes_of(self.index).iter().find(is_wanted)?;
        Some(document.attribute(found))
    }

    /// The decoded text of the element itself: references and CDATA sections decoded and joined, comments and elements
    /// omitted, line ends as `\n`, blanks kept.
    ///
    /// The span of an empty text is the start of the element's content.
    pub fn text(&self) -> Decoded<'a> {
        if let Some(run) = self.only_verbatim_run() {
            return Decoded::verbatim(run.raw, run.span);
        }
        let mut decoded = DecodedBuilder::new(self.file(), self.content_span().start);
        for run in self.text_runs() {
            run.push_to(&mut decoded);
        }
        decoded.finish()
    }

    /// [`Element::text`] without surrounding blanks, tabs and line ends.
    pub fn trimmed_text(&self) -> Decoded<'a> {
        match self.only_verbatim_run() {
            Some(run) => Decoded::verbatim_trimmed(run.raw, run.span),
            None => self.text().trimmed(),
        }
    }

    /// The runs of text of the element itself, in order.
    pub fn text_runs(&self) -> impl Iterator<Item = TextRun<'a>> + use<'a> {
        let document = self.document();
        std::iter::successors(self.run(document.data(self.index).first_run), move |run| {
            document.runs.get(widened(run.next))
        })
        .map(move |run| document.run(run))
    }

    /// Whether a part of the text of the element itself is in a CDATA section.
    pub fn has_character_data(&self) -> bool {
        const SECTION: &str = "<![CDATA[";
        const SECTION_LENGTH: u32 = 9;
        let document = self.document();
        self.text_runs().any(|run| {
            let end = run.span.start;
            let start = end.saturating_sub(SECTION_LENGTH);
            document.is_written(start, end, SECTION)
        })
    }

    /// The first run of text of the element itself that is not blank, to report where an element may not have text.
    pub fn stray_text(&self) -> Option<TextRun<'a>> {
        self.text_runs().find(|run| !run.is_blank())
    }

    /// The only run, if it equals its source byte for byte.
    fn only_verbatim_run(&self) -> Option<TextRun<'a>> {
        self.run(self.document().data(self.index).first_run)
            .filter(|run| run.next == NONE && matches!(run.kind, TextKind::Plain))
            .map(|run| self.document().run(run))
            .filter(|run| !run.raw.as_bytes().contains(&b'\r'))
    }

    fn run(&self, index: u32) -> Option<&'a RunData> {
        self.document().runs.get(widened(index))
    }

    /// The span between the tags. For `<a/>` empty, at its end.
    pub fn content_span(&self) -> Span {
        let start_tag = self.start_tag_span();
        match self.end_tag_span() {
            Some(end_tag) => Span::new(self.file(), start_tag.end, end_tag.start),
            None => start_tag.at_end(),
        }
    }

    /// Where another attribute can be inserted: after the last one, or after the name.
    pub fn attribute_insertion(&self) -> Span {
        let after_quote = |attribute: &AttributeData| attribute.value_end + 1;
        let attributes = self.document().attributes_of(self.index);
        match attributes.iter().map(after_quote).max() {
            Some(end) => Span::empty(self.file(), end),
            None => self.name_span.at_end(),
        }
    }
}

/// The child elements of an element.
#[derive(Clone)]
pub struct Elements<'a> {
    document: &'a XmlDocument<'a>,
    next: u32,
    end: u32,
}

impl<'a> Elements<'a> {
    /// The next one of that local name. The others, which are the majority, are skipped before an `Element` is built.
    fn next_named(&mut self, local: &str) -> Option<Element<'a>> {
        while self.next < self.end {
            let index = self.next;
            let data = self.document.data(index);
            self.next = data.next;
            if self
                .document
                .is_written(data.local_start, data.name_end, local)
            {
                return Some(self.document.element(index));
            }
        }
        None
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Element<'a>;

    fn next(&mut self) -> Option<Element<'a>> {
        if self.next >= self.end {
            return None;
        }
        let element = self.document.element(self.next);
        self.next = self.document.data(self.next).next;
        Some(element)
    }
}
