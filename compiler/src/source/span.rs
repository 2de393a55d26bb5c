//! Places in files: [`FileId`], [`Span`] and [`Spanned`].

use std::ops::Range;

/// A loaded file; an index into the [`SourceMap`](super::SourceMap) that returned it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A range of bytes in a raw file, byte order mark and line ends included. Never `end < start`.
///
/// Ordered by file, then start, then end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    pub file: FileId,
    pub start: u32,
    pub end: u32,
}

impl Span {
    /// The bytes from `start` to before `end`. An `end` before `start` is treated as an empty span at `start`.
    pub fn new(file: FileId, start: u32, end: u32) -> Span {
        Span {
            file,
            start,
            end: end.max(start),
        }
    }

    /// The empty span at `offset`, for an insertion.
    pub fn empty(file: FileId, offset: u32) -> Span {
        Span {
            file,
            start: offset,
            end: offset,
        }
    }

    /// The empty span at the start of this one.
    pub fn at_start(self) -> Span {
        Span::empty(self.file, self.start)
    }

    /// The empty span at the end of this one.
    pub fn at_end(self) -> Span {
        Span::empty(self.file, self.end)
    }

    /// The smallest span that contains both. The two must be in one file.
    pub fn to(self, other: Span) -> Span {
        debug_assert_eq!(self.file, other.file, "spans of two files have no cover");
        Span {
            file: self.file,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// Length in bytes.
    pub fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether it covers no byte.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether `other` is within this span in the same file.
    pub fn contains(self, other: Span) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }

    /// The span as a range of indices into the raw text.
    pub fn range(self) -> Range<usize> {
        let index = |offset: u32| usize::try_from(offset).expect("usize has at least 32 bits");
        index(self.start)..index(self.end)
    }
}

/// A value and the span of its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Spanned<T> {
    pub value: T,
    pub span: Span,
}

impl<T> Spanned<T> {
    pub fn new(value: T, span: Span) -> Spanned<T> {
        Spanned { value, span }
    }

    /// The same place with another value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Spanned<U> {
        Spanned {
            value: change(self.value),
            span: self.span,
        }
    }

    /// A borrow of the value with the same place.
    pub fn as_ref(&self) -> Spanned<&T> {
        Spanned {
            value: &self.value,
            span: self.span,
        }
    }
}
