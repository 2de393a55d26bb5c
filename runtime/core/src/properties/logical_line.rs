//! Physical lines to logical ones: comments and blank lines go, continuation lines are joined.
//!
//! Follows `java.util.Properties.LineReader`. Every character keeps its place in the file, because after
//! joining, an offset in the logical line says nothing about the file any more.

use std::ops::Range;

/// A character of a logical line and where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct LogicalChar {
    pub(super) char: char,
    /// Bytes in the file: one for each character of ISO 8859-1.
    length: u8,
    /// From 1. In 32 bits, like what follows: a long line has millions of these.
    line: u32,
    /// From 1, in characters of the physical line.
    column: u32,
    /// Its first byte in the file.
    start: u32,
}

impl LogicalChar {
    /// From 1.
    pub(super) fn line(&self) -> usize {
        self.line as usize
    }

    /// From 1, in characters of the physical line.
    pub(super) fn column(&self) -> usize {
        self.column as usize
    }

    /// Its first byte in the file.
    pub(super) fn start(&self) -> usize {
        self.start as usize
    }

    /// The byte behind it.
    pub(super) fn end(&self) -> usize {
        self.start() + usize::from(self.length)
    }
}

/// Files of four gigabytes and more are not read.
fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A line that holds an entry, escapes still in it.
#[derive(Debug)]
pub(super) struct LogicalLine {
    /// Starts with a character that is not blank; may be empty, when a lone backslash continues into nothing.
    pub(super) chars: Vec<LogicalChar>,
    /// Offset of the byte behind its last physical line, without the line break.
    pub(super) end: usize,
}

/// Walks a file line by line.
pub(super) struct Lines<'a> {
    rest: Source<'a>,
    offset: usize,
    line: usize,
    byte_order_mark: Option<Range<usize>>,
}

/// The two encodings; what is syntax is ASCII, and so the same bytes, in both.
#[derive(Clone)]
enum Source<'a> {
    Utf8(std::str::Chars<'a>),
    Latin1(std::slice::Iter<'a, u8>),
}

impl Source<'_> {
    fn next(&mut self) -> Option<(char, usize)> {
        match self {
            Source::Utf8(chars) => chars.next().map(|c| (c, c.len_utf8())),
            // The first 256 code points of Unicode are ISO 8859-1.
            Source::Latin1(bytes) => bytes.next().map(|&byte| (char::from(byte), 1)),
        }
    }

    fn peek(&self) -> Option<char> {
        self.clone().next().map(|(c, _)| c)
    }
}

/// Space, tab and form feed: what Java skips at the start of lines and around separators.
pub(super) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\x0c')
}

fn is_line_break(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

impl<'a> Lines<'a> {
    pub(super) fn of_utf8(text: &'a str) -> Self {
        let (text, offset) = match text.strip_prefix('\u{feff}') {
            Some(rest) => (rest, '\u{feff}'.len_utf8()),
            None => (text, 0),
        };
        let byte_order_mark = (offset > 0).then_some(0..offset);
        Lines {
            rest: Source::Utf8(text.chars()),
            offset,
            line: 1,
            byte_order_mark,
        }
    }

    pub(super) fn of_latin1(bytes: &'a [u8]) -> Self {
        Lines {
            rest: Source::Latin1(bytes.iter()),
            offset: 0,
            line: 1,
            byte_order_mark: None,
        }
    }

    pub(super) fn byte_order_mark(&self) -> Option<Range<usize>> {
        self.byte_order_mark.clone()
    }

    /// The next line that is neither blank nor a comment.
    pub(super) fn next_line(&mut self) -> Option<LogicalLine> {
        loop {
            let mut column = 1;
            self.skip_blanks(&mut column);
            match self.rest.peek()? {
                '#' | '!' => {
                    while self.rest.peek().is_some_and(|c| !is_line_break(c)) {
                        self.advance();
                    }
                    self.line_break();
                }
                c if is_line_break(c) => self.line_break(),
                _ => return Some(self.logical_line(column)),
            }
        }
    }

    /// Reads on from a character that is not blank, over as many physical lines as backslashes join.
    fn logical_line(&mut self, mut column: usize) -> LogicalLine {
        let mut chars = Vec::new();
        loop {
            let is_continued = self.physical_line(&mut chars, column);
            let end = self.offset;
            self.line_break();
            if !is_continued {
                return LogicalLine { chars, end };
            }
            // The backslash itself is not text, also not when the file ends behind it.
            chars.pop();
            column = 1;
            self.skip_blanks(&mut column);
        }
    }

    /// Takes what is left of a physical line; true when an odd number of backslashes ends it.
    fn physical_line(&mut self, chars: &mut Vec<LogicalChar>, mut column: usize) -> bool {
        let mut is_escaped = false;
        while self.rest.peek().is_some_and(|c| !is_line_break(c)) {
            let Some((char, range)) = self.advance() else {
                break;
            };
            chars.push(LogicalChar {
                char,
                length: u8::try_from(range.len()).unwrap_or(u8::MAX),
                line: narrow(self.line),
                column: narrow(column),
                start: narrow(range.start),
            });
            column += 1;
            is_escaped = char == '\\' && !is_escaped;
        }
        is_escaped
    }

    fn skip_blanks(&mut self, column: &mut usize) {
        while self.rest.peek().is_some_and(is_blank) {
            self.advance();
            *column += 1;
        }
    }

    /// Steps over `\n`, `\r` or `\r\n`, if one is next.
    fn line_break(&mut self) {
        let Some(c) = self.rest.peek().filter(|&c| is_line_break(c)) else {
            return;
        };
        self.advance();
        if c == '\r' && self.rest.peek() == Some('\n') {
            self.advance();
        }
        self.line += 1;
    }

    fn advance(&mut self) -> Option<(char, Range<usize>)> {
        let (c, len) = self.rest.next()?;
        let start = self.offset;
        self.offset += len;
        Some((c, start..self.offset))
    }
}
