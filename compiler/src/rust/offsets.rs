//! From places in Rust tokens to bytes of their file.

use std::ops::Range;

use proc_macro2::LineColumn;

use super::place::Place;

/// The bytes of the lines of a file.
pub struct Offsets<'a> {
    lines: Vec<(usize, &'a str)>,
    length: usize,
}

impl<'a> Offsets<'a> {
    pub fn new(text: &'a str) -> Offsets<'a> {
        let mut start = 0;
        let lines = text.split_inclusive('\n').map(|line| {
            let from = start;
            start += line.len();
            (from, line)
        });
        Offsets {
            lines: lines.collect(),
            length: text.len(),
        }
    }

    pub fn range(&self, place: &Place) -> Range<u32> {
        let start = self.offset(place.from.start());
        start..self.offset(place.to.end()).max(start)
    }

    /// Columns are characters. Editors may not know lines: a place that is not there is the end of the file.
    fn offset(&self, at: LineColumn) -> u32 {
        let line = at.line.checked_sub(1).and_then(|line| self.lines.get(line));
        let offset = line.map_or(self.length, |(start, line)| {
            let column = match line.is_ascii() {
                true => Some(at.column).filter(|column| *column < line.len()),
                false => line.char_indices().nth(at.column).map(|(at, _)| at),
            };
            start + column.unwrap_or(line.len())
        });
        u32::try_from(offset).unwrap_or(u32::MAX)
    }
}
