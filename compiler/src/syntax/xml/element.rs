//! The tree: elements, attributes and runs of text, with the place of each.
//!
//! Names and raw text are borrowed from the document; text is decoded when it is asked for.

use std::sync::Arc;

use super::decoded::{Decoded, DecodedBuilder};
use crate::source::{FileId, Span};

/// A well-formed document.
#[derive(Debug, Clone)]
pub struct XmlDocument<'a> {
    pub root: Element<'a>,
}

/// A name with its namespace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name<'a> {
    pub prefix: Option<&'a str>,
    pub local: &'a str,
    /// For an attribute without prefix always `None`, as XML has it.
    pub namespace: Option<Arc<str>>,
}

impl Name<'_> {
    /// The name as it is written.
    pub fn qualified(&self) -> String {
        match self.prefix {
            Some(prefix) => format!("{prefix}:{}", self.local),
            None => self.local.to_owned(),
        }
    }
}

/// An element. A *node* is a node of a workflow.
#[derive(Debug, Clone)]
pub struct Element<'a> {
    pub name: Name<'a>,
    /// The name in the start tag, prefix included: where a mistake of the element is shown.
    pub name_span: Span,
    /// In the order of the file. Namespace declarations are not among them.
    pub attributes: Vec<Attribute<'a>>,
    /// `xmlns` and `xmlns:…` attributes, in the order of the file.
    pub declarations: Vec<Attribute<'a>>,
    /// The elements directly in it, in order.
    pub(super) elements: Vec<Element<'a>>,
    pub(super) runs: TextRuns<'a>,
    /// All of it, from `<` of the start tag to `>` of the end tag.
    pub span: Span,
    pub start_tag_span: Span,
    /// `None` for `<a/>`.
    pub end_tag_span: Option<Span>,
}

/// An attribute or a namespace declaration.
#[derive(Debug, Clone)]
pub struct Attribute<'a> {
    pub name: Name<'a>,
    pub name_span: Span,
    pub value: Decoded,
    /// Without the quotes.
    pub value_span: Span,
    /// From the name to the closing quote.
    pub span: Span,
}

/// The runs of text directly in an element, in order, apart from the elements between them: nothing asks how the two
/// mix. Most elements with text have one run, which then needs no allocation.
#[derive(Debug, Clone, Default)]
pub(super) struct TextRuns<'a> {
    first: Option<TextRun<'a>>,
    others: Vec<TextRun<'a>>,
}

impl<'a> TextRuns<'a> {
    pub(super) fn push(&mut self, run: TextRun<'a>) {
        match self.first {
            Some(_) => self.others.push(run),
            None => self.first = Some(run),
        }
    }

    fn iter(&self) -> impl Iterator<Item = TextRun<'a>> {
        self.first.into_iter().chain(self.others.iter().copied())
    }

    /// The only run, if it is what it stands for, byte for byte.
    fn only_verbatim(&self) -> Option<TextRun<'a>> {
        self.first.filter(|run| {
            self.others.is_empty()
                && matches!(run.kind, TextKind::Plain)
                && !run.raw.as_bytes().contains(&b'\r')
        })
    }
}

/// A part of an element's text, raw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextRun<'a> {
    pub(super) raw: &'a str,
    pub(super) kind: TextKind,
    pub(super) span: Span,
}

/// How a run of text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextKind {
    /// As it is, or in a CDATA section, of which `raw` is the inside.
    Plain,
    /// A reference to one character.
    Reference(char),
}

impl TextRun<'_> {
    /// Where it stands, without the brackets of a CDATA section.
    pub fn span(self) -> Span {
        self.span
    }

    /// Whether it is nothing but blanks, tabs and line ends.
    pub fn is_blank(self) -> bool {
        match self.kind {
            TextKind::Plain => self.raw.bytes().all(super::is_xml_space),
            TextKind::Reference(c) => c.is_ascii() && super::is_xml_space(c as u8),
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

impl<'a> Element<'a> {
    /// The file that it stands in.
    pub fn file(&self) -> FileId {
        self.span.file
    }

    /// The elements directly in it, in order.
    pub fn elements(&self) -> std::slice::Iter<'_, Element<'a>> {
        self.elements.iter()
    }

    /// The elements of that local name directly in it, whatever their namespace.
    pub fn elements_named<'b>(&'b self, local: &'b str) -> impl Iterator<Item = &'b Element<'a>> {
        self.elements()
            .filter(move |element| element.name.local == local)
    }

    /// The first element of that local name directly in it, whatever its namespace.
    pub fn element(&self, local: &str) -> Option<&Element<'a>> {
        self.elements().find(|element| element.name.local == local)
    }

    /// The attribute of that name that has no namespace.
    pub fn attribute(&self, local: &str) -> Option<&Attribute<'a>> {
        self.attributes
            .iter()
            .find(|attribute| attribute.name.local == local && attribute.name.namespace.is_none())
    }

    /// The text directly in it as it is meant: references and CDATA sections decoded and joined, comments and elements
    /// left out, line ends as `\n`, blanks kept.
    ///
    /// A text of nothing stands where the content of the element starts.
    pub fn text(&self) -> Decoded {
        if let Some(run) = self.runs.only_verbatim() {
            return Decoded::verbatim(run.raw, run.span);
        }
        let mut decoded = DecodedBuilder::new(self.file(), self.content_span().start);
        for run in self.text_runs() {
            run.push_to(&mut decoded);
        }
        decoded.finish()
    }

    /// [`Element::text`] without the blanks, tabs and line ends around it.
    pub fn trimmed_text(&self) -> Decoded {
        match self.runs.only_verbatim() {
            Some(run) => Decoded::verbatim_trimmed(run.raw, run.span),
            None => self.text().trimmed(),
        }
    }

    /// The runs of text directly in it, in order.
    pub fn text_runs(&self) -> impl Iterator<Item = TextRun<'a>> {
        self.runs.iter()
    }

    /// The first run of text directly in it that is not blank: what to point at where an element may not have text.
    pub fn stray_text(&self) -> Option<TextRun<'a>> {
        self.text_runs().find(|run| !run.is_blank())
    }

    /// What stands between the tags. For `<a/>` empty, at its end.
    pub fn content_span(&self) -> Span {
        match self.end_tag_span {
            Some(end_tag) => Span::new(self.file(), self.start_tag_span.end, end_tag.start),
            None => self.start_tag_span.at_end(),
        }
    }

    /// Where another attribute can be inserted: behind the last one, or behind the name.
    pub fn attribute_insertion(&self) -> Span {
        self.attributes
            .iter()
            .chain(&self.declarations)
            .map(|attribute| attribute.span)
            .max()
            .unwrap_or(self.name_span)
            .at_end()
    }
}
