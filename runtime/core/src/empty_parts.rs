//! Detects paths that lose a component because the expressions in its place are empty: `/data/${old}` is `/data/` if `old` is
//! empty, and deleting that deletes more than intended.
//!
//! A part is the text between slashes. One left empty by the author, as in `/a//b`, is not lost, and neither is the name-node in
//! front of a path, which is empty if files are local.

mod lost;
mod references;
mod tree;

pub use self::{
    lost::{Lost, overlay},
    references::resolve,
    tree::{first, first_of_text, pieces_of_text},
};

/// The setting that allows operations on such paths; `refuse` or `allow`.
pub const SETTING: &str = "hpdl.path.empty.parts";

/// A piece of a path.
#[derive(Clone, Copy, Debug)]
pub enum Piece<'p, E> {
    /// Text as the author wrote it.
    Text(&'p str),
    Expr(E),
}

/// An expression in a path: in a syntax tree, or in the table of a compiled program.
pub trait PathExpr<'p>: Copy {
    /// The arguments, if it is a call of `concat`.
    fn concatenated(self) -> Option<Vec<Piece<'p, Self>>>;

    /// The name of the property, if it is one.
    fn property(self) -> Option<&'p str>;

    /// Whether it takes its value from something in `lost`.
    fn reads(self, lost: &Lost) -> bool;
}

/// The first lost part of a path: the numbers of its first and its last piece. `value` returns the value of an expression, if it
/// is known. An expression that takes its value from a property in `lost` is a lost part too.
pub fn first_lost<'p, E: PathExpr<'p>>(
    pieces: &[Piece<'p, E>],
    value: impl Fn(E) -> Option<String>,
    lost: &Lost,
) -> Option<(usize, usize)> {
    let mut path = PathReading {
        value: &value,
        number: 0,
        part: OpenPart::default(),
    };
    for (at, piece) in pieces.iter().enumerate() {
        if let Piece::Expr(expr) = piece
            && expr.reads(lost)
        {
            return Some((at, at));
        }
        let found = path.piece(*piece, at);
        if found.is_some() {
            return found;
        }
    }
    path.part.lost(path.number)
}

/// Whether the text of a property is a path that loses a part; the arguments are those of [`first_lost`].
pub fn is_lost<'p, E: PathExpr<'p>>(
    pieces: &[Piece<'p, E>],
    value: impl Fn(E) -> Option<String>,
    lost: &Lost,
) -> bool {
    // A property that consists only of a reference to an empty one is empty itself, which is visible where it is used.
    let has_slash = has_slash(pieces);
    let value = |expr| if has_slash { value(expr) } else { None };
    first_lost(pieces, value, lost).is_some()
}

/// Whether text that the author wrote contains a slash.
fn has_slash<'p, E: PathExpr<'p>>(pieces: &[Piece<'p, E>]) -> bool {
    pieces.iter().any(|piece| match piece {
        Piece::Text(text) => text.contains('/'),
        Piece::Expr(expr) => expr.concatenated().is_some_and(|args| has_slash(&args)),
    })
}

/// A path that is being read from left to right.
struct PathReading<'r, F> {
    value: &'r F,
    number: usize,
    part: OpenPart,
}

impl<F> PathReading<'_, F> {
    /// Reads a piece, or an argument of a `concat`, which belongs to the piece `at` of the path. Returns the part that it ends, if
    /// that is lost.
    fn piece<'p, E: PathExpr<'p>>(
        &mut self,
        piece: Piece<'p, E>,
        at: usize,
    ) -> Option<(usize, usize)>
    where
        F: Fn(E) -> Option<String>,
    {
        let expr = match piece {
            Piece::Text(text) => return self.text(text),
            Piece::Expr(expr) => expr,
        };
        if let Some(args) = expr.concatenated() {
            return args.into_iter().find_map(|arg| self.piece(arg, at));
        }
        let is_blank = (self.value)(expr)
            .is_some_and(|value| value.split('/').all(|name| matches!(name.trim(), "" | ".")));
        let is_name_node = expr.property().is_some_and(is_name_node);
        self.part.take(is_blank, is_name_node, at);
        None
    }

    fn text(&mut self, text: &str) -> Option<(usize, usize)> {
        for (n, text) in text.split('/').enumerate() {
            if n > 0 {
                let lost = self.part.lost(self.number);
                if lost.is_some() {
                    return lost;
                }
                (self.part, self.number) = (OpenPart::default(), self.number + 1);
            }
            self.part.has_text |= !text.trim().is_empty();
        }
        None
    }
}

/// A part that is being read.
#[derive(Default)]
struct OpenPart {
    has_text: bool,
    /// The first and the last piece with an expression.
    pieces: Option<(usize, usize)>,
    is_name_node: Option<bool>,
}

impl OpenPart {
    /// Adds an expression of the piece `at`.
    fn take(&mut self, is_blank: bool, is_name_node: bool, at: usize) {
        self.has_text |= !is_blank;
        self.is_name_node = Some(self.is_name_node.unwrap_or(true) && is_name_node);
        self.pieces = Some((self.pieces.map_or(at, |(first, _)| first), at));
    }

    fn lost(&self, number: usize) -> Option<(usize, usize)> {
        let is_name_node = number == 0 && self.is_name_node == Some(true);
        self.pieces.filter(|_| !self.has_text && !is_name_node)
    }
}

/// Whether a property is a name-node, judging by its name: `nameNode`, `name_node`, `defaultFS`.
fn is_name_node(property: &str) -> bool {
    let name: String = property
        .chars()
        .filter(|char| char.is_alphanumeric())
        .collect::<String>()
        .to_ascii_lowercase();
    ["namenode", "defaultfs", "fsdefault"]
        .iter()
        .any(|known| name.contains(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_that_is_lost_is_named() {
        for (path, expected) in [
            ("/data/${nothing}", Some("${nothing}")),
            ("/data/${nothing}/", Some("${nothing}")),
            ("/data/${nothing}/x", Some("${nothing}")),
            ("/data/ ${nothing}/x", Some("${nothing}")),
            ("/data/${nothing}${blank}", Some("${nothing}${blank}")),
            ("/data/${dot}", Some("${dot}")),
            ("/data/${full}/${slash}", Some("${slash}")),
            ("${nothing}/tmp", Some("${nothing}")),
            ("${nothing}", Some("${nothing}")),
            ("hdfs://nn/${nothing}/x", Some("${nothing}")),
            (
                "/data/${concat(nothing, blank)}",
                Some("${concat(nothing, blank)}"),
            ),
            (
                "${concat('/data/', nothing)}",
                Some("${concat('/data/', nothing)}"),
            ),
            (
                "${concat('/data/', concat(nothing, '/x'))}",
                Some("${concat('/data/', concat(nothing, '/x'))}"),
            ),
            ("${concat('/data/', nothing)}x", None),
            ("${concat('/data/', full)}/x", None),
            ("${concat('/data', '/')}", None),
            ("/data/${nothing}${full}", None),
            ("/data/part-${nothing}", None),
            ("/data/${nothing}.old", None),
            ("/data/${full}", None),
            ("/data/${unknown}", None),
            ("/data//x/", None),
            ("/data", None),
            ("", None),
            ("${nameNode}/data", None),
            ("${wf:conf('name_node')}/data", None),
            ("${nameNode}/${nothing}", Some("${nothing}")),
            ("${nameNode}${nothing}/x", Some("${nameNode}${nothing}")),
        ] {
            let value = |expression: &str| {
                let value = match expression {
                    "${nothing}" | "${nameNode}" | "${wf:conf('name_node')}" => "",
                    "${blank}" | "${concat(nothing, blank)}" => " ",
                    "${dot}" => ".",
                    "${slash}" => "/",
                    "${full}" => "a/b",
                    _ => return None,
                };
                Some(value.to_owned())
            };
            let lost = first_of_text(path, value, &Lost::default());
            assert_eq!(lost, expected, "{path}");
        }
    }
}
