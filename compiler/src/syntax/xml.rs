//! A parser of XML 1.0 documents in which every part has its span.
//!
//! The events come from quick-xml, which checks little; [`reader`] adds the well-formedness constraints, and rejects what a
//! workflow never needs: document types, other encodings, and sizes and depths that only an attack has. What [`parse`]
//! returns is well-formed with every prefix declared.
//!
//! Spans are exact: every part of an event is a slice of the text, so its offset is the difference of two addresses.

use crate::{
    diagnostics::{Code, Sink},
    source::FileId,
};

mod attributes;
mod characters;
mod decoded;
mod escape;
mod faults;
mod namespaces;
mod reader;
mod tree;

mod document_too_deep;
mod document_too_large;
mod document_type;
mod duplicate_attribute;
mod empty_document;
mod invalid_character;
mod invalid_comment;
mod invalid_declaration;
mod invalid_name;
mod invalid_namespace_declaration;
mod invalid_reference;
mod malformed_attribute;
mod second_root;
mod text_outside_root;
mod unclosed_element;
mod unclosed_markup;
mod undeclared_prefix;
mod unescaped_markup;
mod unexpected_end_tag;
mod unsupported_encoding;

pub use self::{
    decoded::Decoded,
    escape::{escape_attribute, escape_text},
    tree::{Attribute, Element, Elements, Name, TextRun, XmlDocument},
};

/// The maximum depth of elements; the schemas of Oozie need eight.
pub const MAX_DEPTH: usize = 256;

/// The maximum number of elements, attributes and runs of text in a document. Limits the memory of the tree, which needs
/// more for `<a/>` than its four bytes of source.
pub const MAX_PARTS: usize = 4_000_000;

/// The maximum number of namespace declarations in scope at one place.
pub const MAX_DECLARATIONS: usize = 256;

/// The codes of XML, in the order of their numbers. For a document that is not well-formed Oozie has two: its schema
/// validator detects it first (E0700), then its tree builder (E0701).
pub static CODES: &[&Code] = &[
    &unsupported_encoding::CODE,
    &document_too_large::CODE,
    &document_too_deep::CODE,
    &empty_document::CODE,
    &text_outside_root::CODE,
    &second_root::CODE,
    &unclosed_element::CODE,
    &unexpected_end_tag::CODE,
    &unclosed_markup::CODE,
    &invalid_name::CODE,
    &malformed_attribute::CODE,
    &duplicate_attribute::CODE,
    &invalid_character::CODE,
    &invalid_reference::CODE,
    &document_type::CODE,
    &invalid_declaration::CODE,
    &undeclared_prefix::CODE,
    &invalid_namespace_declaration::CODE,
    &unescaped_markup::CODE,
    &invalid_comment::CODE,
];

/// Parses a document. `text` is the raw text of `file`, with its byte order mark if it has one.
///
/// Every mistake becomes a diagnostic (H01xx). After one that leaves the structure certain - a repeated attribute, an
/// unknown reference - parsing continues, and the document is returned; after any other there is none.
pub fn parse<'a>(file: FileId, text: &'a str, sink: &mut Sink) -> Option<XmlDocument<'a>> {
    reader::read(file, text, MAX_PARTS, sink)
}

/// The local name in the first start tag of a text; `None` if there is none. Reads no further, and checks nothing else: the
/// text may not be well-formed.
pub fn root_name(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        rest = &rest[rest.find('<')? + 1..];
        let skipped_to = match rest.as_bytes().first()? {
            b'?' => "?>",
            b'!' if rest.starts_with("!--") => "-->",
            b'!' => ">",
            _ => {
                let end = rest.find(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>'));
                let name = &rest[..end.unwrap_or(rest.len())];
                return Some(name.split_once(':').map_or(name, |(_, local)| local));
            }
        };
        rest = &rest[rest.find(skipped_to)? + skipped_to.len()..];
    }
}

/// XML white space: blank, tab and line ends.
fn is_xml_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

#[cfg(test)]
mod tests;
