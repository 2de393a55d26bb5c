//! Converts physical lines to logical ones: comments and blank lines are dropped, continuation lines are joined.
//!
//! Follows `java.util.Properties.LineReader`. A logical line records the file position of each of its characters, because offsets
//! change when lines are joined.

use std::{borrow::Cow, ops::Range};

/// A line with an entry, not yet unescaped.
#[derive(Debug)]
pub(super) struct LogicalLine<'a> {
    /// Starts with a non-blank character; may be empty if a lone backslash continues into nothing.
    pub(super) text: Cow<'a, str>,
    /// Offset after the last byte of its last physical line, without the line break.
    pub(super) end: usize,
    first: PhysicalLine,
    /// The physical lines joined to the first.
    others: Vec<PhysicalLine>,
    encoding: EncodedText<'a>,
}

/// A part of a logical line that is one physical line.
#[derive(Debug, Clone, Copy)]
struct PhysicalLine {
    /// Offset of its start in `text`.
    at: usize,
    place: CharPosition,
}

/// The position of a character in the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct CharPosition {
    /// 1-based.
    pub(super) line: usize,
    /// 1-based, in characters of the physical line.
    pub(super) column: usize,
    /// Offset of its first byte.
    pub(super) start: usize,
}

impl LogicalLine<'_> {
    /// Maps offsets to positions; efficient if the queried offsets are ascending.
    pub(super) fn places(&self) -> PlaceCursor<'_> {
        PlaceCursor {
            line: self,
            n_passed: 0,
            at: self.first.at,
            place: self.first.place,
        }
    }

    /// The number of bytes of a character in the file.
    pub(super) fn length(&self, char: char) -> usize {
        match self.encoding {
            EncodedText::Utf8(_) => char.len_utf8(),
            EncodedText::Latin1(_) => 1,
        }
    }
}

/// A cursor in a logical line.
pub(super) struct PlaceCursor<'l> {
    line: &'l LogicalLine<'l>,
    /// How many of the other physical lines have been reached.
    n_passed: usize,
    at: usize,
    place: CharPosition,
}

impl PlaceCursor<'_> {
    /// The file position of the character at an offset in the text.
    pub(super) fn of(&mut self, at: usize) -> CharPosition {
        if at < self.at {
            *self = self.line.places();
        }
        while let Some(next) = self.line.others.get(self.n_passed)
            && next.at <= at
        {
            self.n_passed += 1;
            self.at = next.at;
            self.place = next.place;
        }
        for char in self.line.text.get(self.at..at).unwrap_or_default().chars() {
            self.place.column += 1;
            self.place.start += self.line.length(char);
        }
        self.at = at;
        self.place
    }

    /// The file offset after the character that ends at an offset in the text; `None` for offset 0.
    pub(super) fn end_of(&mut self, end: usize) -> Option<usize> {
        let char = self.line.text.get(..end)?.chars().next_back()?;
        Some(self.of(end - char.len_utf8()).start + self.line.length(char))
    }

    /// The file range of a part of the text; an empty range at `if_empty` if the part is empty.
    pub(super) fn range(&mut self, part: &Range<usize>, if_empty: usize) -> Range<usize> {
        if part.is_empty() {
            return if_empty..if_empty;
        }
        let start = self.of(part.start).start;
        start..self.end_of(part.end).unwrap_or(start)
    }
}

/// Iterates over the lines of a file.
pub(super) struct NaturalLines<'a> {
    source: EncodedText<'a>,
    offset: usize,
    line: usize,
    byte_order_mark: Option<Range<usize>>,
}

/// The two encodings; syntax characters are ASCII, and so the same bytes in both.
#[derive(Clone, Copy, Debug)]
enum EncodedText<'a> {
    Utf8(&'a str),
    Latin1(&'a [u8]),
}

impl<'a> EncodedText<'a> {
    fn bytes(self) -> &'a [u8] {
        match self {
            EncodedText::Utf8(text) => text.as_bytes(),
            EncodedText::Latin1(bytes) => bytes,
        }
    }

    fn text(self, range: Range<usize>) -> Cow<'a, str> {
        match self {
            EncodedText::Utf8(text) => text.get(range).unwrap_or_default().into(),
            // The first 256 code points of Unicode are ISO 8859-1.
            EncodedText::Latin1(bytes) => {
                let bytes = bytes.get(range).unwrap_or_default();
                bytes.iter().copied().map(char::from).collect()
            }
        }
    }
}

/// Space, tab and form feed: what Java skips at the start of lines and around separators.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\x0c')
}

fn is_line_break(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

impl<'a> NaturalLines<'a> {
    pub(super) fn of_utf8(text: &'a str) -> Self {
        let mark = '\u{feff}';
        let offset = if text.starts_with(mark) {
            mark.len_utf8()
        } else {
            0
        };
        NaturalLines {
            source: EncodedText::Utf8(text),
            offset,
            line: 1,
            byte_order_mark: (offset > 0).then_some(0..offset),
        }
    }

    pub(super) fn of_latin1(bytes: &'a [u8]) -> Self {
        NaturalLines {
            source: EncodedText::Latin1(bytes),
            offset: 0,
            line: 1,
            byte_order_mark: None,
        }
    }

    pub(super) fn byte_order_mark(&self) -> Option<Range<usize>> {
        self.byte_order_mark.clone()
    }

    /// The next line that is neither blank nor a comment.
    pub(super) fn next_line(&mut self) -> Option<LogicalLine<'a>> {
        loop {
            let n_blanks = self.skip_blanks();
            match self.peek()? {
                b'#' | b'!' => {
                    self.offset = self.end_of_physical_line();
                    self.line_break();
                }
                byte if is_line_break(byte) => self.line_break(),
                _ => return Some(self.logical_line(n_blanks)),
            }
        }
    }

    /// Reads a line from its first non-blank character, over all physical lines continued by backslashes.
    fn logical_line(&mut self, n_blanks: usize) -> LogicalLine<'a> {
        let (first, is_continued) = self.physical_line();
        let mut line = LogicalLine {
            first: self.piece(0, n_blanks, &first),
            text: self.source.text(first),
            end: self.offset,
            others: Vec::new(),
            encoding: self.source,
        };
        self.line_break();
        let mut is_continued = is_continued;
        while is_continued {
            let n_blanks = self.skip_blanks();
            let (next, is_next_continued) = self.physical_line();
            let piece = self.piece(line.text.len(), n_blanks, &next);
            line.others.push(piece);
            line.text.to_mut().push_str(&self.source.text(next));
            line.end = self.offset;
            self.line_break();
            is_continued = is_next_continued;
        }
        line
    }

    fn piece(&self, at: usize, n_blanks: usize, range: &Range<usize>) -> PhysicalLine {
        PhysicalLine {
            at,
            place: CharPosition {
                line: self.line,
                column: n_blanks + 1,
                start: range.start,
            },
        }
    }

    /// Reads the rest of a physical line, and whether it ends with an odd number of backslashes. The last of these is not text,
    /// even at the end of the file.
    fn physical_line(&mut self) -> (Range<usize>, bool) {
        let start = self.offset;
        let end = self.end_of_physical_line();
        self.offset = end;
        let bytes = self.source.bytes().get(start..end).unwrap_or_default();
        let n_backslashes = bytes
            .iter()
            .rev()
            .take_while(|byte| **byte == b'\\')
            .count();
        let is_continued = n_backslashes % 2 == 1;
        (start..end - usize::from(is_continued), is_continued)
    }

    fn peek(&self) -> Option<u8> {
        self.source.bytes().get(self.offset).copied()
    }

    fn end_of_physical_line(&self) -> usize {
        let bytes = self.source.bytes();
        let rest = bytes.get(self.offset..).unwrap_or_default();
        let length = rest.iter().position(|byte| is_line_break(*byte));
        length.map_or(bytes.len(), |length| self.offset + length)
    }

    /// Returns the number of blanks.
    fn skip_blanks(&mut self) -> usize {
        let rest = self.source.bytes().get(self.offset..).unwrap_or_default();
        let n_blanks = rest.iter().take_while(|byte| is_blank(**byte)).count();
        self.offset += n_blanks;
        n_blanks
    }

    /// Skips `\n`, `\r` or `\r\n`, if one is next.
    fn line_break(&mut self) {
        let Some(byte) = self.peek().filter(|byte| is_line_break(*byte)) else {
            return;
        };
        self.offset += 1;
        if byte == b'\r' && self.peek() == Some(b'\n') {
            self.offset += 1;
        }
        self.line += 1;
    }
}
