//! The tree as it is walked: elements, attributes and runs of text, with the place of each.
//!
//! All are small values that look into the [`XmlDocument`]; text is decoded when it is asked for.

use std::fmt;

use super::{AttributeData, NONE, RunData, XmlDocument, widened};
use crate::{
    source::{FileId, Span},
    syntax::xml::{
        decoded::{Decoded, DecodedBuilder},
        is_xml_space,
    },
};

/// A name with its namespace. Only the local part is looked at for every element.
#[derive(Clone, Copy)]
pub struct Name<'a> {
    pub local: &'a str,
    pub(in crate::syntax::xml) document: &'a XmlDocument<'a>,
    /// Where the name starts, and where its local part does.
    pub(in crate::syntax::xml) start: u32,
    pub(in crate::syntax::xml) local_start: u32,
    /// [`NONE`] for no namespace.
    pub(in crate::syntax::xml) namespace: u32,
}

impl<'a> Name<'a> {
    pub fn prefix(&self) -> Option<&'a str> {
        self.document.prefix(self.start, self.local_start)
    }

    /// For an attribute without prefix always `None`, as XML has it.
    pub fn namespace(&self) -> Option<&'a str> {
        let names = &self.document.namespaces;
        names.get(widened(self.namespace)).map(|name| &**name)
    }

    /// The name as it is written.
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
    /// The name in the start tag, prefix included: where a mistake of the element is shown.
    pub name_span: Span,
    /// Among the elements of the document.
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
    /// As it is, or in a CDATA section, of which `raw` is the inside.
    Plain,
    /// A reference to one character.
    Reference(char),
}

impl TextRun<'_> {
    /// Where it is, without the brackets of a CDATA section.
    pub fn span(self) -> Span {
        self.span
    }

    /// Whether it is nothing but blanks, tabs and line ends.
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
    /// Without the document, of which it is a part.
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

    /// All of it, from `<` of the start tag to `>` of the end tag.
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

    /// The elements directly in it, in order.
    pub fn elements(&self) -> Elements<'a> {
        Elements {
            document: self.document(),
            next: self.index + 1,
            end: self.document().data(self.index).next,
        }
    }

    /// The elements of that local name directly in it, whatever their namespace.
    pub fn elements_named<'b>(
        &self,
        local: &'b str,
    ) -> impl Iterator<Item = Element<'a>> + use<'a, 'b> {
        let mut elements = self.elements();
        std::iter::from_fn(move || elements.next_named(local))
    }

    /// The first element of that local name directly in it, whatever its namespace.
    pub fn element(&self, local: &str) -> Option<Element<'a>> {
        self.elements().next_named(local)
    }

    /// Whether its tag is a name alone: no attribute, no namespace declaration.
    pub fn has_no_attributes(&self) -> bool {
        self.document().attributes_of(self.index).is_empty()
    }

    /// In the order of the file. Namespace declarations are not among them.
    pub fn attributes(&self) -> impl Iterator<Item = Attribute<'a>> + use<'a> {
        self.written_attributes(false)
    }

    /// `xmlns` and `xmlns:…` attributes, in the order of the file.
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

    /// The attribute of that name that has no namespace.
    pub fn attribute(&self, local: &str) -> Option<Attribute<'a>> {
        let document = self.document();
        let is_wanted = |attribute: &&AttributeData| {
            attribute.namespace == NONE
                && document.is_written(attribute.local_start, attribute.name_end, local)
        };
        let found = document.attributes_of(self.index).iter().find(is_wanted)?;
        Some(document.attribute(found))
    }

    /// The text directly in it as it is meant: references and CDATA sections decoded and joined, comments and elements
    /// left out, line ends as `\n`, blanks kept.
    ///
    /// A text of nothing is where the content of the element starts.
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

    /// [`Element::text`] without the blanks, tabs and line ends around it.
    pub fn trimmed_text(&self) -> Decoded<'a> {
        match self.only_verbatim_run() {
            Some(run) => Decoded::verbatim_trimmed(run.raw, run.span),
            None => self.text().trimmed(),
        }
    }

    /// The runs of text directly in it, in order.
    pub fn text_runs(&self) -> impl Iterator<Item = TextRun<'a>> + use<'a> {
        let document = self.document();
        std::iter::successors(self.run(document.data(self.index).first_run), move |run| {
            document.runs.get(widened(run.next))
        })
        .map(move |run| document.run(run))
    }

    /// The first run of text directly in it that is not blank: what to point at where an element may not have text.
    pub fn stray_text(&self) -> Option<TextRun<'a>> {
        self.text_runs().find(|run| !run.is_blank())
    }

    /// The only run, if it is what it stands for, byte for byte.
    fn only_verbatim_run(&self) -> Option<TextRun<'a>> {
        self.run(self.document().data(self.index).first_run)
            .filter(|run| run.next == NONE && matches!(run.kind, TextKind::Plain))
            .map(|run| self.document().run(run))
            .filter(|run| !run.raw.as_bytes().contains(&b'\r'))
    }

    fn run(&self, index: u32) -> Option<&'a RunData> {
        self.document().runs.get(widened(index))
    }

    /// What is between the tags. For `<a/>` empty, at its end.
    pub fn content_span(&self) -> Span {
        let start_tag = self.start_tag_span();
        match self.end_tag_span() {
            Some(end_tag) => Span::new(self.file(), start_tag.end, end_tag.start),
            None => start_tag.at_end(),
        }
    }

    /// Where another attribute can be inserted: behind the last one, or behind the name.
    pub fn attribute_insertion(&self) -> Span {
        let after_quote = |attribute: &AttributeData| attribute.value_end + 1;
        let attributes = self.document().attributes_of(self.index);
        match attributes.iter().map(after_quote).max() {
            Some(end) => Span::empty(self.file(), end),
            None => self.name_span.at_end(),
        }
    }
}

/// The elements directly in another one.
#[derive(Clone)]
pub struct Elements<'a> {
    document: &'a XmlDocument<'a>,
    next: u32,
    end: u32,
}

impl<'a> Elements<'a> {
    /// The next one of that local name. The others, most of them, are passed over before anything is made of them.
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
