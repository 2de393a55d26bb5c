//! Converts byte offsets to lines and columns, for people and for editors.
//!
//! A line ends with `\n`, as in terminals and rustc; the `\r` of a `\r\n` belongs to the line that it ends. A byte order
//! mark at the start of the file has no column: editors do not show it.

use std::ops::Range;

use super::Span;

const BYTE_ORDER_MARK: char = '\u{feff}';

/// A position as shown; line and both columns count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    pub line: u32,
    /// In characters (Unicode scalar values).
    pub column: u32,
    /// In UTF-16 code units, which editors and SARIF count.
    pub utf16_column: u32,
}

/// The distance in bytes of the marks from which characters are counted: generated documents may be one line of megabytes
/// with a mistake in every element.
const STRIDE: usize = 1024;

/// The line starts of one text, and the numbers of characters before marks in it.
#[derive(Debug, Clone)]
pub struct LineIndex {
    /// Byte offsets; the first is 0, so there is always one.
    starts: Vec<u32>,
    /// For every [`STRIDE`]th byte, the lengths of the text before the character that contains it.
    counts: Vec<TextLength>,
}

/// The length of a part of a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct TextLength {
    characters: u32,
    utf16_units: u32,
}

impl TextLength {
    fn of(text: &str) -> TextLength {
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        if text.is_ascii() {
            let length = count(text.len());
            return TextLength {
                characters: length,
                utf16_units: length,
            };
        }
        // A character of four bytes in UTF-8 has two UTF-16 units.
        let starts_pair = |byte: &u8| *byte >= 0xf0;
        let characters = text.chars().count();
        let n_pairs = text.as_bytes().iter().filter(|byte| starts_pair(byte));
        TextLength {
            characters: count(characters),
            utf16_units: count(characters + n_pairs.count()),
        }
    }

    fn plus(self, more: TextLength) -> TextLength {
        TextLength {
            characters: self.characters.saturating_add(more.characters),
            utf16_units: self.utf16_units.saturating_add(more.utf16_units),
        }
    }

    fn minus(self, less: TextLength) -> TextLength {
        TextLength {
            characters: self.characters.saturating_sub(less.characters),
            utf16_units: self.utf16_units.saturating_sub(less.utf16_units),
        }
    }
}

impl LineIndex {
    pub fn new(text: &str) -> LineIndex {
        let after_newlines = text
            .bytes()
            .zip(1_u32..)
            .filter_map(|(byte, next)| (byte == b'\n').then_some(next));
        let mut before = TextLength::default();
        let mut counts = vec![before];
        for mark in 1..=text.len() / STRIDE {
            before = before.plus(TextLength::of(
                &text[mark_at(text, mark - 1)..mark_at(text, mark)],
            ));
            counts.push(before);
        }
        LineIndex {
            starts: std::iter::once(0).chain(after_newlines).collect(),
            counts,
        }
    }

    /// Line and column of `offset` in `text`, which must be the text that the index was built from.
    ///
    /// An offset beyond the end is treated as the end; one inside a character as the start of that character.
    pub fn position(&self, text: &str, offset: u32) -> Position {
        let offset = floor_char_boundary(text, offset);
        let line = self.line_of(offset);
        let line_start = if line == 0 && text.starts_with(BYTE_ORDER_MARK) {
            BYTE_ORDER_MARK.len_utf8()
        } else {
            index(self.starts[index(line)])
        };
        let before = self.count(text, line_start.min(index(offset))..index(offset));
        Position {
            line: line + 1,
            column: before.characters.saturating_add(1),
            utf16_column: before.utf16_units.saturating_add(1),
        }
    }

    /// The length of a part of the text, both ends on character boundaries.
    fn count(&self, text: &str, range: Range<usize>) -> TextLength {
        if range.len() <= STRIDE {
            return TextLength::of(&text[range]);
        }
        let before = |at: usize| {
            let mark = at / STRIDE;
            self.counts[mark].plus(TextLength::of(&text[mark_at(text, mark)..at]))
        };
        before(range.end).minus(before(range.start))
    }

    /// The number of lines; text after the last `\n`, also if empty, counts as a line.
    pub fn n_lines(&self) -> u32 {
        u32::try_from(self.starts.len()).expect("line starts are counted in a u32")
    }

    /// The whole lines that `span` touches: the 1-based number of the first one, and the span of their bytes without the
    /// last `\n`.
    pub fn lines_of(&self, text: &str, span: Span) -> (u32, Span) {
        let start = floor_char_boundary(text, span.start);
        let end = floor_char_boundary(text, span.end.max(span.start));
        let first = self.line_of(start);
        let last = self.line_of(end);
        let window_end = match self.starts.get(index(last) + 1) {
            Some(next) => next - 1,
            None => u32::try_from(text.len()).unwrap_or(u32::MAX),
        };
        let window = Span::new(span.file, self.starts[index(first)], window_end);
        (first + 1, window)
    }

    /// 0-based line of an offset.
    fn line_of(&self, offset: u32) -> u32 {
        let after = self.starts.partition_point(|start| *start <= offset);
        u32::try_from(after - 1).expect("line starts are counted in a u32")
    }
}

/// The byte offset of a mark.
fn mark_at(text: &str, mark: usize) -> usize {
    text.floor_char_boundary(mark * STRIDE)
}

fn index(n: u32) -> usize {
    usize::try_from(n).expect("usize has at least 32 bits")
}

fn floor_char_boundary(text: &str, offset: u32) -> u32 {
    u32::try_from(text.floor_char_boundary(index(offset))).expect("it is at most `offset`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;

    #[track_caller]
    fn check(text: &str, offset: u32, line: u32, column: u32, utf16_column: u32) {
        assert_eq!(
            LineIndex::new(text).position(text, offset),
            Position {
                line,
                column,
                utf16_column
            },
            "offset {offset} of {text:?}"
        );
    }

    #[test]
    fn lines_and_columns_count_from_one() {
        check("", 0, 1, 1, 1);
        check("ab\ncd", 0, 1, 1, 1);
        check("ab\ncd", 2, 1, 3, 3);
        check("ab\ncd", 3, 2, 1, 1);
        check("ab\ncd", 5, 2, 3, 3);
        check("ab\n", 3, 2, 1, 1);
    }

    #[test]
    fn carriage_return_belongs_to_the_line_it_ends() {
        check("a\r\nb", 1, 1, 2, 2);
        check("a\r\nb", 2, 1, 3, 3);
        check("a\r\nb", 3, 2, 1, 1);
        check("a\rb", 2, 1, 3, 3);
    }

    #[test]
    fn columns_count_characters_and_utf16_units() {
        check("é𝄞x", 2, 1, 2, 2);
        check("é𝄞x", 6, 1, 3, 4);
        // Inside the four bytes of the second character.
        check("é𝄞x", 4, 1, 2, 2);
    }

    #[test]
    fn byte_order_mark_has_no_column() {
        check("\u{feff}<a/>", 0, 1, 1, 1);
        check("\u{feff}<a/>", 3, 1, 1, 1);
        check("\u{feff}<a/>", 4, 1, 2, 2);
        check("\u{feff}\n\u{feff}x", 7, 2, 2, 2);
    }

    #[test]
    fn columns_of_a_long_line_are_those_of_a_count_from_its_start() {
        let line = "aé𝄞\u{feff}".repeat(STRIDE);
        let text = format!("\u{feff}{line}\n{line}");
        let lines = LineIndex::new(&text);
        let mut expected = (1, 1, 1);
        for (offset, c) in text.char_indices() {
            let position = lines.position(&text, u32::try_from(offset).unwrap());
            let found = (position.line, position.column, position.utf16_column);
            assert_eq!(found, expected, "offset {offset}");
            expected = match c {
                '\n' => (2, 1, 1),
                BYTE_ORDER_MARK if offset == 0 => expected,
                c => {
                    let width = u32::try_from(c.len_utf16()).unwrap();
                    (expected.0, expected.1 + 1, expected.2 + width)
                }
            };
        }
    }

    #[test]
    fn columns_are_counted_from_a_mark_nearby() {
        let text = "aé𝄞".repeat(10 * STRIDE);
        let mut lines = LineIndex::new(&text);
        // Falsified, to show which mark a count starts from.
        for (count, mark) in lines.counts.iter_mut().zip(0..) {
            *count = TextLength {
                characters: mark * 1_000_000,
                utf16_units: 0,
            };
        }
        let end = u32::try_from(text.len()).unwrap();
        let column = lines.position(&text, end).column;
        let n_marks = u32::try_from(text.len() / STRIDE).unwrap();
        assert_eq!(column / 1_000_000, n_marks);
        assert!(column % 1_000_000 <= u32::try_from(STRIDE).unwrap() + 1);
    }

    #[test]
    fn offset_beyond_the_end_is_the_end() {
        check("ab", 99, 1, 3, 3);
    }

    #[test]
    fn lines_of_a_span_are_whole() {
        let text = "one\ntwo\nthree\nfour";
        let lines = |start, end| {
            let (first, window) =
                LineIndex::new(text).lines_of(text, Span::new(FileId(0), start, end));
            (first, &text[window.range()])
        };
        assert_eq!(lines(5, 6), (2, "two"));
        assert_eq!(lines(5, 9), (2, "two\nthree"));
        assert_eq!(lines(17, 18), (4, "four"));
        assert_eq!(lines(3, 3), (1, "one"));
    }
}
