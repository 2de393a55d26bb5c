//! Lost parts of paths that are parsed.

use std::borrow::Cow;

use super::{Lost, PathExpr, Piece, first_lost};
use crate::el::{
    ast::{Expr, ExprKind, Part, Template},
    parser,
};

/// The first lost part of a path, as written in the document; `value` returns the value of an expression, passed with its `${`
/// and `}`, if it is known. An expression that takes its value from a property in `lost` is a lost part too.
pub fn first<'s>(
    source: &'s str,
    template: &Template,
    value: impl Fn(&Expr, &str) -> Option<String>,
    lost: &Lost,
) -> Option<&'s str> {
    let found = first_lost(
        &pieces(source, template),
        |expr| value(expr.expr, &expr.text()),
        lost,
    )?;
    written(source, template, found)
}

/// As [`first`], for a text that has not been parsed; `None` if it is not a template.
pub fn first_of_text<'s>(
    source: &'s str,
    value: impl Fn(&str) -> Option<String>,
    lost: &Lost,
) -> Option<&'s str> {
    // Most paths have no part that consists only of an expression.
    if !source.contains("${") {
        return None;
    }
    let template = parser::parse_template(source).ok()?;
    first(source, &template, |_, text| value(text), lost)
}

/// The pieces `first` to `last` of a text, as written; `None` if it is not a template.
pub fn pieces_of_text(source: &str, pieces: (usize, usize)) -> Option<&str> {
    let template = parser::parse_template(source).ok()?;
    written(source, &template, pieces)
}

fn written<'s>(
    source: &'s str,
    template: &Template,
    (first, last): (usize, usize),
) -> Option<&'s str> {
    let (start, _) = range(source, template, first)?;
    let (_, end) = range(source, template, last)?;
    source.get(start..end)
}

/// Where a piece begins and ends; an expression, with its `${` and `}`.
fn range(source: &str, template: &Template, number: usize) -> Option<(usize, usize)> {
    match template.parts.get(number)? {
        Part::Text(_, range) => Some((range.start, range.end)),
        Part::Expr(_) => {
            let start = match number.checked_sub(1) {
                Some(before) => end(source, template, before)?,
                None => 0,
            };
            Some((start, end(source, template, number)?))
        }
    }
}

fn end(source: &str, template: &Template, number: usize) -> Option<usize> {
    let expr = match template.parts.get(number)? {
        Part::Text(_, range) => return Some(range.end),
        Part::Expr(expr) => expr,
    };
    match template.parts.get(number + 1) {
        Some(Part::Text(_, range)) => Some(range.start),
        // The next expression begins after the brace that ends this one.
        Some(Part::Expr(next)) => {
            let between = source.get(expr.range.end..next.range.start)?;
            Some(expr.range.end + between.find('}')? + 1)
        }
        None => Some(source.len()),
    }
}

pub(super) fn pieces<'t>(source: &'t str, template: &'t Template) -> Vec<Piece<'t, TreeExpr<'t>>> {
    let pieces = template.parts.iter().enumerate();
    let pieces = pieces.map(|(number, part)| match part {
        Part::Text(text, _) => Piece::Text(text),
        Part::Expr(expr) => {
            let range = range(source, template, number);
            Piece::Expr(TreeExpr {
                source,
                expr,
                whole: range.and_then(|(start, end)| source.get(start..end)),
            })
        }
    });
    pieces.collect()
}

/// An expression in a syntax tree.
#[derive(Clone, Copy)]
pub(super) struct TreeExpr<'t> {
    source: &'t str,
    expr: &'t Expr,
    /// With its `${` and `}`; `None` for an argument of a call.
    whole: Option<&'t str>,
}

impl<'t> TreeExpr<'t> {
    /// With `${` and `}`.
    pub(super) fn text(self) -> Cow<'t, str> {
        match self.whole {
            Some(whole) => Cow::Borrowed(whole),
            None => {
                let range = self.expr.range;
                let written = self.source.get(range.start..range.end).unwrap_or_default();
                Cow::Owned(format!("${{{written}}}"))
            }
        }
    }
}

impl<'t> PathExpr<'t> for TreeExpr<'t> {
    fn concatenated(self) -> Option<Vec<Piece<'t, Self>>> {
        let ExprKind::Call {
            prefix: None,
            name,
            args,
            ..
        } = &self.expr.kind
        else {
            return None;
        };
        let args = args.iter().map(|arg| match arg.as_text() {
            Some(text) => Piece::Text(text),
            None => Piece::Expr(TreeExpr {
                expr: arg,
                whole: None,
                ..self
            }),
        });
        (name == "concat").then(|| args.collect())
    }

    fn property(self) -> Option<&'t str> {
        match &self.expr.kind {
            ExprKind::Variable(name) => Some(name),
            ExprKind::Call { name, args, .. } if name == "conf" => match args.as_slice() {
                [name] => name.as_text(),
                _ => None,
            },
            _ => None,
        }
    }

    fn reads(self, lost: &Lost) -> bool {
        lost.is_read_by(self.expr, &self.text())
    }
}
