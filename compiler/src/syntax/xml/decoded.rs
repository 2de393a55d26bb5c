//! Decoded text, with a map from its bytes to the source.
//!
//! `&lt;`, `&#x41;`, CDATA sections, comments in between and line ends make the decoded text differ from the raw one.
//! [`Decoded`] keeps both aligned, so that an error inside `${a &amp;&amp; b}` points at the right column.

use std::{ops::Range, sync::Arc};

use crate::source::{FileId, Span};

/// A decoded text and the map from its bytes to the raw file.
///
/// The text borrows from the document if it equals its source; otherwise it may be shared by many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded<'a> {
    text: DecodedText<'a>,
    file: FileId,
    /// The only piece, as in nearly every text; otherwise the union of all pieces.
    whole: DecodedPiece,
    /// The pieces, if there are several.
    pieces: Option<Arc<Vec<DecodedPiece>>>,
}

#[derive(Debug, Clone)]
enum DecodedText<'a> {
    Borrowed(&'a str),
    Shared(Arc<str>),
}

impl DecodedText<'_> {
    fn as_str(&self) -> &str {
        match self {
            DecodedText::Borrowed(text) => text,
            DecodedText::Shared(text) => text,
        }
    }
}

impl PartialEq for DecodedText<'_> {
    fn eq(&self, other: &DecodedText<'_>) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for DecodedText<'_> {}

/// A part of the decoded text that ends where the next one starts. Pieces cover the text without gaps, in ascending order.
///
/// If the raw part is as long as the decoded one, they correspond byte for byte. Otherwise (a reference, a `\r\n`) they
/// correspond as a whole. No reference is as short as its value, so the lengths distinguish the cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct DecodedPiece {
    decoded_start: u32,
    source_start: u32,
    source_end: u32,
}

impl<'a> Decoded<'a> {
    /// Text that equals its source. If `text` is not as long as `span`, the span corresponds to the text as a whole.
    pub fn verbatim(text: &'a str, span: Span) -> Decoded<'a> {
        Decoded {
            text: DecodedText::Borrowed(text),
            file: span.file,
            whole: DecodedPiece {
                decoded_start: 0,
                source_start: span.start,
                source_end: span.end,
            },
            pieces: None,
        }
    }

    /// [`Decoded::verbatim`] without surrounding blanks, tabs and line ends. `text` must be as long as `span`.
    pub(super) fn verbatim_trimmed(text: &'a str, span: Span) -> Decoded<'a> {
        let (start, end) = trimmed_range(text);
        let place = Span::new(
            span.file,
            span.start + narrow(start),
            span.start + narrow(end),
        );
        Decoded::verbatim(&text[start..end], place)
    }

    /// The decoded text.
    pub fn as_str(&self) -> &str {
        self.text.as_str()
    }

    /// The text alone.
    pub fn into_string(self) -> String {
        self.as_str().to_owned()
    }

    /// The text as a part of the document, if it equals its source.
    pub fn as_written(&self) -> Option<&'a str> {
        match self.text {
            DecodedText::Borrowed(text) => Some(text),
            DecodedText::Shared(_) => None,
        }
    }

    /// The same without borrowing from the document.
    pub fn into_owned(self) -> Decoded<'static> {
        let text = match &self.text {
            DecodedText::Borrowed(text) => Arc::from(*text),
            DecodedText::Shared(text) => Arc::clone(text),
        };
        self.with_text(text)
    }

    /// The shared text, if it does not borrow from the document.
    pub fn shared(&self) -> Option<Arc<str>> {
        match &self.text {
            DecodedText::Borrowed(_) => None,
            DecodedText::Shared(text) => Some(Arc::clone(text)),
        }
    }

    /// The same without borrowing from the document, with an equal text that is shared.
    pub fn with_text(self, text: Arc<str>) -> Decoded<'static> {
        debug_assert_eq!(self.as_str(), &*text, "the text stays the same");
        Decoded {
            text: DecodedText::Shared(text),
            file: self.file,
            whole: self.whole,
            pieces: self.pieces,
        }
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.as_str().is_empty()
    }

    /// Whether it consists of blanks, tabs and line ends only.
    pub fn is_blank(&self) -> bool {
        self.as_str().bytes().all(super::is_xml_space)
    }

    /// The raw span of the whole text.
    pub fn span(&self) -> Span {
        Span::new(self.file, self.whole.source_start, self.whole.source_end)
    }

    /// The raw span of the bytes `range` of the decoded text.
    ///
    /// A range that touches a part of a reference covers all of it. An empty range gives an empty span, before the byte at
    /// its position. A range beyond the end is truncated.
    pub fn span_of(&self, range: Range<usize>) -> Span {
        let start = range.start.min(self.as_str().len());
        let end = range.end.clamp(start, self.as_str().len());
        let source_start = self.source_start(start);
        if start == end {
            return Span::empty(self.file, source_start);
        }
        Span::new(self.file, source_start, self.source_end(end))
    }

    /// The bytes `range` of the text, with their map. A range that is not on character boundaries is widened.
    pub fn slice(&self, range: Range<usize>) -> Decoded<'static> {
        let start = self.as_str().floor_char_boundary(range.start);
        let end = self.as_str().ceil_char_boundary(range.end.max(start));
        let text = self.as_str()[start..end].to_owned();
        let first = self.piece_index(start);
        let mut sliced = DecodedBuilder::new(self.file, self.source_start(start));
        for (index, piece) in self.pieces().iter().enumerate().skip(first) {
            let piece_start = offset(piece.decoded_start);
            let piece_end = self.piece_end(index);
            let from = piece_start.max(start);
            let to = piece_end.min(end);
            if from >= to {
                break;
            }
            let is_verbatim = piece.is_verbatim(piece_end);
            let source = if is_verbatim {
                let skipped = narrow(from - piece_start);
                piece.source_start + skipped..piece.source_start + skipped + narrow(to - from)
            } else {
                piece.source_start..piece.source_end
            };
            sliced.push(&self.as_str()[from..to], source);
        }
        let sliced = sliced.finish();
        debug_assert_eq!(sliced.as_str(), text, "the pieces cover the text");
        sliced
    }

    /// The text without surrounding blanks, tabs and line ends, with its map.
    ///
    /// The result equals that of Java's `String.trim`: XML has no other characters up to U+0020.
    pub fn trimmed(&self) -> Decoded<'a> {
        let (start, end) = trimmed_range(self.as_str());
        if start == 0 && end == self.as_str().len() {
            return self.clone();
        }
        self.slice(start..end)
    }

    fn pieces(&self) -> &[DecodedPiece] {
        match &self.pieces {
            Some(pieces) => pieces,
            None => std::slice::from_ref(&self.whole),
        }
    }

    /// The index of the piece that contains the byte `at`; the last one at the end of the text.
    fn piece_index(&self, at: usize) -> usize {
        let after = self
            .pieces()
            .partition_point(|piece| offset(piece.decoded_start) <= at);
        after.saturating_sub(1)
    }

    /// The end of a piece in the decoded text.
    fn piece_end(&self, index: usize) -> usize {
        self.pieces()
            .get(index + 1)
            .map_or(self.as_str().len(), |next| offset(next.decoded_start))
    }

    fn source_start(&self, at: usize) -> u32 {
        let index = self.piece_index(at);
        let piece = self.pieces()[index];
        let end = self.piece_end(index);
        if at == end && at > offset(piece.decoded_start) {
            // Only for the last piece can `at` be its own end.
            piece.source_end
        } else if piece.is_verbatim(end) {
            piece.source_start + narrow(at - offset(piece.decoded_start))
        } else {
            piece.source_start
        }
    }

    /// The source offset of the end of the byte before `at`.
    fn source_end(&self, at: usize) -> u32 {
        let index = self.piece_index(at.saturating_sub(1));
        let piece = self.pieces()[index];
        if piece.is_verbatim(self.piece_end(index)) {
            piece.source_start + narrow(at - offset(piece.decoded_start))
        } else {
            piece.source_end
        }
    }
}

impl DecodedPiece {
    fn is_verbatim(self, decoded_end: usize) -> bool {
        decoded_end - offset(self.decoded_start) == offset(self.source_end - self.source_start)
    }
}

/// Builds a [`Decoded`] from parts in document order.
#[derive(Debug)]
pub(super) struct DecodedBuilder {
    text: String,
    file: FileId,
    /// The offset of the text if it stays empty.
    start: u32,
    pieces: Vec<DecodedPiece>,
    last: Option<(DecodedPiece, bool)>,
}

impl DecodedBuilder {
    pub(super) fn new(file: FileId, start: u32) -> DecodedBuilder {
        DecodedBuilder {
            text: String::new(),
            file,
            start,
            pieces: Vec::new(),
            last: None,
        }
    }

    /// Appends `text`, whose source is `source`; they correspond byte for byte if the lengths are equal.
    pub(super) fn push(&mut self, text: &str, source: Range<u32>) {
        if text.is_empty() {
            return;
        }
        let is_verbatim = narrow(text.len()) == source.end - source.start;
        let decoded_start = narrow(self.text.len());
        self.text.push_str(text);
        if let Some((last, true)) = &mut self.last
            && is_verbatim
            && last.source_end == source.start
        {
            last.source_end = source.end;
            return;
        }
        let piece = DecodedPiece {
            decoded_start,
            source_start: source.start,
            source_end: source.end,
        };
        if let Some((complete, _)) = self.last.replace((piece, is_verbatim)) {
            self.pieces.push(complete);
        }
    }

    /// Appends raw text that starts at `source_start`, with each line end replaced by `\n`.
    pub(super) fn push_with_line_ends(&mut self, raw: &str, source_start: u32) {
        let mut at = source_start;
        let mut rest = raw;
        while let Some(index) = rest.find('\r') {
            let (before, after) = rest.split_at(index);
            self.push(before, at..at + narrow(index));
            at += narrow(index);
            let length = if after.starts_with("\r\n") { 2 } else { 1 };
            self.push("\n", at..at + narrow(length));
            at += narrow(length);
            rest = &after[length..];
        }
        self.push(rest, at..at + narrow(rest.len()));
    }

    pub(super) fn finish(self) -> Decoded<'static> {
        let DecodedBuilder {
            text,
            file,
            start,
            mut pieces,
            last,
        } = self;
        let last = match last {
            Some((piece, _)) => piece,
            None => DecodedPiece {
                decoded_start: 0,
                source_start: start,
                source_end: start,
            },
        };
        let whole = DecodedPiece {
            decoded_start: 0,
            source_start: pieces.first().unwrap_or(&last).source_start,
            source_end: last.source_end,
        };
        let pieces = (!pieces.is_empty()).then(|| {
            pieces.push(last);
            Arc::new(pieces)
        });
        Decoded {
            text: DecodedText::Shared(text.into()),
            file,
            whole,
            pieces,
        }
    }
}

/// The range of the text without surrounding XML white space. For a text of white space only, empty at its end.
fn trimmed_range(text: &str) -> (usize, usize) {
    let bytes = text.as_bytes();
    let is_text = |byte: &u8| !super::is_xml_space(*byte);
    let start = bytes.iter().position(is_text).unwrap_or(bytes.len());
    let end = bytes
        .iter()
        .rposition(is_text)
        .map_or(start, |last| last + 1);
    (start, end)
}

fn offset(n: u32) -> usize {
    usize::try_from(n).expect("usize has at least 32 bits")
}

/// Lengths here are at most those of the document, which is limited far below 4 GiB.
fn narrow(n: usize) -> u32 {
    u32::try_from(n).expect("documents are limited to 64 MiB")
}

#[cfg(test)]
mod tests;
