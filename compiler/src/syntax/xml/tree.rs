//! The representation of a document: four flat lists instead of a list for each element.
//!
//! A workflow of ten thousand nodes has two hundred thousand elements. With a few words for each, in append-only lists,
//! reading one costs little more than scanning it; an allocation for each would cost as much as everything else. Positions
//! are bare offsets, since all are in one file, and every name and text is borrowed from the raw text.

pub(super) use self::element::TextKind;
pub use self::element::{Attribute, Element, Elements, Name, TextRun};
use super::decoded::Decoded;
use crate::source::{FileId, Span};

mod element;

/// Represents an absent index or offset.
pub(super) const NONE: u32 = u32::MAX;

// The minimum size in bytes of source per item, for initial capacities; unused capacity is never touched. Lists that grow by
// doubling are copied, and the system clears the pages of each copy.
const BYTES_OF_AN_ELEMENT: usize = 40;
const BYTES_OF_AN_ATTRIBUTE: usize = 180;
const BYTES_OF_A_RUN: usize = 22;

/// A well-formed document.
#[derive(Debug, Clone)]
pub struct XmlDocument<'a> {
    pub(super) file: FileId,
    pub(super) text: &'a str,
    /// In the order of their start tags. The first is the root.
    pub(super) elements: Vec<ElementData>,
    /// Attributes and namespace declarations, those of each element together, in the order of the elements.
    pub(super) attributes: Vec<AttributeData>,
    pub(super) runs: Vec<RunData>,
    /// The attribute values that differ from their source.
    pub(super) decoded_values: Vec<Decoded<'a>>,
    /// The interned namespaces.
    pub(super) namespaces: Vec<Box<str>>,
}

#[derive(Debug, Clone)]
pub(super) struct ElementData {
    /// After the `<`.
    pub(super) name_start: u32,
    /// After the prefix.
    pub(super) local_start: u32,
    pub(super) name_end: u32,
    pub(super) start_tag_end: u32,
    /// [`NONE`] for `<a/>`.
    pub(super) end_tag_start: u32,
    pub(super) end: u32,
    /// The element after this one and all its descendants: the next sibling, if there is one.
    pub(super) next: u32,
    /// Its attributes end where those of the next element begin.
    pub(super) first_attribute: u32,
    /// [`NONE`] if there is no text.
    pub(super) first_run: u32,
    /// [`NONE`] if there is no namespace.
    pub(super) namespace: u32,
}

#[derive(Debug, Clone)]
pub(super) struct AttributeData {
    pub(super) name_start: u32,
    pub(super) local_start: u32,
    pub(super) name_end: u32,
    pub(super) value_start: u32,
    pub(super) value_end: u32,
    /// [`NONE`] for a value that equals its source.
    pub(super) decoded: u32,
    /// [`NONE`] if there is no namespace.
    pub(super) namespace: u32,
    pub(super) is_declaration: bool,
}

/// A run of text. Those of one element are a linked list, because elements are between them.
#[derive(Debug, Clone)]
pub(super) struct RunData {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) kind: TextKind,
    /// The next run of the same element, or [`NONE`].
    pub(super) next: u32,
}

impl<'a> XmlDocument<'a> {
    pub(super) fn new(file: FileId, text: &'a str) -> XmlDocument<'a> {
        XmlDocument {
            file,
            text,
            elements: Vec::with_capacity(text.len() / BYTES_OF_AN_ELEMENT),
            attributes: Vec::with_capacity(text.len() / BYTES_OF_AN_ATTRIBUTE),
            runs: Vec::with_capacity(text.len() / BYTES_OF_A_RUN),
            decoded_values: Vec::new(),
            namespaces: Vec::new(),
        }
    }

    /// The root element.
    pub fn root(&self) -> Element<'_> {
        self.element(0)
    }

    /// The length of its source text in UTF-8.
    pub fn n_bytes(&self) -> usize {
        self.text.len()
    }

    /// The number of elements.
    pub fn n_elements(&self) -> usize {
        self.elements.len()
    }

    pub(super) fn element(&self, index: u32) -> Element<'_> {
        let data = self.data(index);
        Element {
            name: self.name(
                data.name_start,
                data.local_start,
                data.name_end,
                data.namespace,
            ),
            name_span: self.span(data.name_start, data.name_end),
            index,
        }
    }

    pub(super) fn data(&self, index: u32) -> &ElementData {
        &self.elements[widened(index)]
    }

    /// The attributes and declarations of an element.
    pub(super) fn attributes_of(&self, index: u32) -> &[AttributeData] {
        let start = self.data(index).first_attribute;
        let end = match self.elements.get(widened(index) + 1) {
            Some(next) => widened(next.first_attribute),
            None => self.attributes.len(),
        };
        &self.attributes[widened(start)..end]
    }

    pub(super) fn attribute(&self, data: &AttributeData) -> Attribute<'_> {
        let value_span = self.span(data.value_start, data.value_end);
        Attribute {
            name: self.name(
                data.name_start,
                data.local_start,
                data.name_end,
                data.namespace,
            ),
            name_span: self.span(data.name_start, data.name_end),
            value: match self.decoded_values.get(widened(data.decoded)) {
                Some(decoded) => decoded.clone(),
                None => Decoded::verbatim(self.raw(data.value_start, data.value_end), value_span),
            },
            value_span,
        }
    }

    pub(super) fn run(&self, data: &RunData) -> TextRun<'_> {
        TextRun {
            raw: self.raw(data.start, data.end),
            kind: data.kind,
            span: self.span(data.start, data.end),
        }
    }

    pub(super) fn span(&self, start: u32, end: u32) -> Span {
        Span::new(self.file, start, end)
    }

    pub(super) fn raw(&self, start: u32, end: u32) -> &'a str {
        &self.text[widened(start)..widened(end)]
    }

    /// Whether the source at that range equals `text`.
    pub(super) fn is_written(&self, start: u32, end: u32, text: &str) -> bool {
        widened(end - start) == text.len()
            && self.text.as_bytes()[widened(start)..widened(end)] == *text.as_bytes()
    }

    /// The prefix of the name at `start`, whose local part is at `local_start`.
    pub(super) fn prefix(&self, start: u32, local_start: u32) -> Option<&'a str> {
        (local_start > start).then(|| self.raw(start, local_start - 1))
    }

    fn name(&self, start: u32, local_start: u32, end: u32, namespace: u32) -> Name<'_> {
        Name {
            local: self.raw(local_start, end),
            document: self,
            start,
            local_start,
            namespace,
        }
    }
}

pub(super) fn widened(index: u32) -> usize {
    usize::try_from(index).expect("usize has at least 32 bits")
}
