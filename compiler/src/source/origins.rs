//! Derived texts: a document that was made from another source, such as the XML of a workflow written in Rust, and where each
//! part of it comes from.

use std::ops::Range;

use super::{FileId, Span};

/// A part of a derived text, and the place in another file of the same [`SourceMap`](super::SourceMap) that it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// In bytes of the derived text.
    pub range: Range<u32>,
    pub origin: Span,
}

/// Where the parts of a derived text come from. Pieces lie within each other or beside each other: that of an element
/// contains those of its attributes.
#[derive(Debug, Clone)]
pub struct Origins {
    /// By start; of those with the same start, the longest first.
    pieces: Vec<Piece>,
    /// Everything else comes from here.
    whole: Span,
}

impl Origins {
    /// `whole` is where the text as a whole comes from.
    pub fn new(mut pieces: Vec<Piece>, whole: Span) -> Origins {
        pieces.sort_by_key(|piece| (piece.range.start, std::cmp::Reverse(piece.range.end)));
        Origins { pieces, whole }
    }

    /// The file that the text comes from.
    pub fn file(&self) -> FileId {
        self.whole.file
    }

    /// The origin of a part of the text: that of the innermost piece that contains it.
    pub fn of(&self, range: Range<u32>) -> Span {
        self.piece_of(range)
            .map_or(self.whole, |piece| piece.origin)
    }

    /// The innermost piece that contains a part of the text.
    pub fn piece_of(&self, range: Range<u32>) -> Option<&Piece> {
        let n_before = self
            .pieces
            .partition_point(|piece| piece.range.start <= range.start);
        self.pieces[..n_before]
            .iter()
            .rev()
            .find(|piece| piece.range.end >= range.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_comes_from_where_the_innermost_piece_around_it_does() {
        let rust = |start, end| Span::new(FileId(7), start, end);
        let piece = |range, origin| Piece { range, origin };
        let origins = Origins::new(
            vec![
                piece(20..24, rust(5, 6)),
                piece(10..50, rust(0, 30)),
                piece(10..12, rust(1, 2)),
                piece(30..40, rust(8, 9)),
            ],
            rust(0, 100),
        );
        for (range, expected) in [
            (0..3, rust(0, 100)),
            (10..12, rust(1, 2)),
            (10..13, rust(0, 30)),
            (21..22, rust(5, 6)),
            (22..26, rust(0, 30)),
            (40..40, rust(8, 9)),
            (45..50, rust(0, 30)),
            (45..51, rust(0, 100)),
        ] {
            assert_eq!(origins.of(range.clone()), expected, "{range:?}");
        }
    }
}
