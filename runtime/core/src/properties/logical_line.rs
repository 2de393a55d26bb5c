//! Physical lines to logical ones: comments and blank lines go, continuation lines are joined.
//!
//! Follows `java.util.Properties.LineReader`. A logical line knows where each of its characters is in the file, because after
//! joining, an offset in it says nothing about the file any more.

use std::{borrow::Cow, ops::Range};

/// A line that holds an entry, escapes still in it.
#[derive(Debug)]
pub(super) struct LogicalLine<'a> {
    /// Starts with a character that is not blank; may be empty, when a lone backslash continues into nothing.
    pub(super) text: Cow<'a, str>,
    /// Offset of the byte behind its last physical line, without the line break.
    pub(super) end: usize,
    first: PhysicalLine,
    /// What is joined to it.
    others: Vec<PhysicalLine>,
    encoding: Source<'a>,
}

/// A part of a logical line that is one physical line.
#[derive(Debug, Clone, Copy)]
struct PhysicalLine {
    /// Where it begins in the text.
    at: usize,
    place: CharPosition,
}

/// Where a character is in the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct CharPosition {
    /// From 1.
    pub(super) line: usize,
    /// From 1, in characters of the physical line.
    pub(super) column: usize,
    /// Its first byte.
    pub(super) start: usize,
}

impl LogicalLine<'_> {
    /// Finds places; quick where each question is about a later character than the one before.
    pub(super) fn places(&self) -> Places<'_> {
        Places {
            line: self,
            n_passed: 0,
            at: self.first.at,
            place: self.first.place,
        }
    }

    /// The bytes that a character takes in the file.
    pub(super) fn length(&self, char: char) -> usize {
        match self.encoding {
            Source::Utf8(_) => char.len_utf8(),
            Source::Latin1(_) => 1,
        }
    }
}

/// A place in a logical line, moved along it.
pub(super) struct Places<'l> {
    line: &'l LogicalLine<'l>,
    /// How many of the other pieces it has come to.
    n_passed: usize,
    at: usize,
    place: CharPosition,
}

impl Places<'_> {
    /// Where the character at an offset of the text is.
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

    /// The byte behind the character that ends at an offset of the text; `None` for its beginning.
    pub(super) fn end_of(&mut self, end: usize) -> Option<usize> {
        let char = self.line.text.get(..end)?.chars().next_back()?;
        Some(self.of(end - char.len_utf8()).start + self.line.length(char))
    }

    /// The bytes of a part of the text; empty at `if_empty` for none.
    pub(super) fn range(&mut self, part: &Range<usize>, if_empty: usize) -> Range<usize> {
        if part.is_empty() {
            return if_empty..if_empty;
        }
        let start = self.of(part.start).start;
        start..self.end_of(part.end).unwrap_or(start)
    }
}

/// Walks a file line by line.
pub(super) struct Lines<'a> {
    source: Source<'a>,
    offset: usize,
    line: usize,
    byte_order_mark: Option<Range<usize>>,
}

/// The two encodings; what is syntax is ASCII, and so the same bytes, in both.
#[derive(Clone, Copy, Debug)]
enum Source<'a> {
    Utf8(&'a str),
    Latin1(&'a [u8]),
}

impl<'a> Source<'a> {
    fn bytes(self) -> &'a [u8] {
        match self {
            Source::Utf8(text) => text.as_bytes(),
            Source::Latin1(bytes) => bytes,
        }
    }

    fn text(self, range: Range<usize>) -> Cow<'a, str> {
        match self {
            Source::Utf8(text) => text.get(range).unwrap_or_default().into(),
            // The first 256 code points of Unicode are ISO 8859-1.
            Source::Latin1(bytes) => {
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

impl<'a> Lines<'a> {
    pub(super) fn of_utf8(text: &'a str) -> Self {
        let mark = '\u{feff}';
        let offset = if text.starts_with(mark) {
            mark.len_utf8()
        } else {
            0
        };
        Lines {
            source: Source::Utf8(text),
            offset,
            line: 1,
            byte_order_mark: (offset > 0).then_some(0..offset),
        }
    }

    pub(super) fn of_latin1(bytes: &'a [u8]) -> Self {
        Lines {
            source: Source::Latin1(bytes),
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

    /// Reads on from a character that is not blank, over as many physical lines as backslashes join.
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

    /// Takes what is left of a physical line, and whether an odd number of backslashes ends it. The last of these is not text,
    /// also not when the file ends behind it.
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

    /// How many blanks there were.
    fn skip_blanks(&mut self) -> usize {
        let rest = self.source.bytes().get(self.offset..).unwrap_or_default();
        let n_blanks = rest.iter().take_while(|byte| is_blank(**byte)).count();
        self.offset += n_blanks;
        n_blanks
    }

    /// Steps over `\n`, `\r` or `\r\n`, if one is next.
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
