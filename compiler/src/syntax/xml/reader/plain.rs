//! The fast path for tags in their usual form: `<name>`, `<name key="value"/>`, `</name>`.
//!
//! Requesting an event from quick-xml, and its bytes again as text, took as long as all processing of the events. Plain tags
//! are parsed here directly; any other tag, or one with any error, is left to quick-xml without side effects. A tag with a
//! prefix is not plain, so that a plain name is a local one.

use super::{Builder, StartTag};
use crate::syntax::xml::{
    attributes::RawAttribute,
    characters::{is_plain_byte, is_plain_first},
    faults::{Fatal, advanced},
    is_xml_space,
};

impl<'a> Builder<'a, '_> {
    /// Processes the tag whose `<` is at `start`, and returns where it ends. `None` if it is not plain; then nothing has
    /// been processed.
    pub(super) fn plain_tag(&mut self, start: usize) -> Result<Option<usize>, Fatal> {
        if self.text.as_bytes().get(start + 1) == Some(&b'/') {
            self.plain_end_tag(start)
        } else {
            self.plain_start_tag(start)
        }
    }

    /// The name of an end tag is known in advance.
    fn plain_end_tag(&mut self, start: usize) -> Result<Option<usize>, Fatal> {
        let Some(open) = self.open.last() else {
            return Ok(None);
        };
        let name_start = start + 2;
        let name_end = name_start + open.name.len();
        let written = self.text.as_bytes().get(name_start..=name_end);
        let is_its_end = written.is_some_and(|written| {
            written
                .split_last()
                .is_some_and(|(last, name)| *last == b'>' && name == open.name.as_bytes())
        });
        if !is_its_end {
            return Ok(None);
        }
        self.end_tag(open.name, advanced(0, name_start))?;
        Ok(Some(name_end + 1))
    }

    fn plain_start_tag(&mut self, start: usize) -> Result<Option<usize>, Fatal> {
        let bytes = self.text.as_bytes();
        let Some(name_end) = plain_name_end(bytes, start + 1) else {
            return Ok(None);
        };
        let mut at = name_end;
        let is_empty = loop {
            match bytes.get(at) {
                Some(b'>') => break false,
                Some(b'/') if bytes.get(at + 1) == Some(&b'>') => break true,
                Some(byte) if is_xml_space(*byte) => {}
                Some(_) | None => return Ok(self.not_plain()),
            }
            at = after_space(bytes, at);
            if matches!(bytes.get(at), Some(b'>' | b'/')) {
                continue;
            }
            let Some((attribute, end)) = self.plain_attribute(at) else {
                return Ok(self.not_plain());
            };
            self.written.push(attribute);
            at = end;
        };
        let end = at + if is_empty { 2 } else { 1 };
        let name = &self.text[start + 1..name_end];
        let tag = StartTag {
            name,
            prefix: None,
            local: name,
            name_span: self.faults.span(advanced(0, start + 1), name.len()),
            end: advanced(0, end),
            is_empty,
        };
        self.check_place(name, tag.name_span)?;
        self.element(&tag)?;
        Ok(Some(end))
    }

    /// The attribute at `at`, and where it ends: after its closing quote.
    fn plain_attribute(&self, at: usize) -> Option<(RawAttribute<'a>, usize)> {
        let bytes = self.text.as_bytes();
        let name_end = plain_name_end(bytes, at)?;
        if bytes.get(name_end) != Some(&b'=') {
            return None;
        }
        let quote = *bytes
            .get(name_end + 1)
            .filter(|byte| matches!(byte, b'"' | b'\''))?;
        let value_start = name_end + 2;
        let length = bytes[value_start..]
            .iter()
            .position(|byte| *byte == quote)?;
        let attribute = RawAttribute {
            name: &self.text[at..name_end],
            name_start: advanced(0, at),
            value: &self.text[value_start..value_start + length],
            value_start: advanced(0, value_start),
        };
        Some((attribute, value_start + length + 1))
    }

    fn not_plain(&mut self) -> Option<usize> {
        self.written.clear();
        None
    }
}

/// Where the plain name at `start` ends, if there is one.
fn plain_name_end(bytes: &[u8], start: usize) -> Option<usize> {
    let name = &bytes[start..];
    name.first().filter(|first| is_plain_first(**first))?;
    let length = name.iter().position(|byte| !is_plain_byte(*byte));
    Some(start + length.unwrap_or(name.len()))
}

/// The offset of the first byte that is not white space, from `start` on.
fn after_space(bytes: &[u8], start: usize) -> usize {
    let length = bytes[start..].iter().position(|byte| !is_xml_space(*byte));
    start + length.unwrap_or(bytes.len() - start)
}
