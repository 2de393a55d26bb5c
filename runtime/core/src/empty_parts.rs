//! Detects paths that lose a component because the expressions in its place are empty: `/data/${old}` is `/data/` if `old` is
//! empty, and deleting that deletes more than intended.
//!
//! A part is the text between slashes. One left empty by the author, as in `/a//b`, is not lost, and neither is the name-node in
//! front of a path, which is empty if files are local.

use crate::el::{
    ast::{Expr, ExprKind, Literal, Part, Template},
    parser,
};

mod lost;

pub use self::lost::{Lost, overlay, resolve};

/// The setting that allows operations on such paths; `refuse` or `allow`.
pub const SETTING: &str = "hpdl.path.empty.parts";

/// The first lost part of a path, as written in the document; `value` returns the value of an expression, passed with its `${`
/// and `}`, if it is known. An expression that takes its value from a property in `lost` is a lost part too.
pub fn first<'s>(
    source: &'s str,
    template: &Template,
    value: impl Fn(&Expr, &str) -> Option<String>,
    lost: &Lost,
) -> Option<&'s str> {
    let mut path = PathReading {
        source,
        value: &value,
        number: 0,
        part: OpenPart::default(),
    };
    let mut end = 0;
    for (at, piece) in template.parts.iter().enumerate() {
        let found = match piece {
            Part::Text(_, range) => {
                end = range.end;
                path.text(source.get(range.start..range.end)?)
            }
            Part::Expr(expr) => {
                let next = template.parts.get(at + 1);
                let until = match next {
                    Some(Part::Text(_, range)) => range.start,
                    // The next expression begins after the brace that ends this one.
                    Some(Part::Expr(next)) => {
                        let between = source.get(expr.range.end..next.range.start)?;
                        expr.range.end + between.find('}')? + 1
                    }
                    None => source.len(),
                };
                let whole = (end, until);
                end = until;
                let text = source.get(whole.0..until)?;
                if lost.reads(expr, text) {
                    return Some(text);
                }
                path.expression(expr, text, whole)
            }
        };
        if found.is_some() {
            return found;
        }
    }
    path.part.lost(source, path.number)
}

/// A path that is being read from left to right.
struct PathReading<'r, 's, F> {
    source: &'s str,
    value: &'r F,
    number: usize,
    part: OpenPart,
}

impl<'s, F: Fn(&Expr, &str) -> Option<String>> PathReading<'_, 's, F> {
    /// Reads text as the author wrote it. Returns the part that it ends, if that is lost.
    fn text(&mut self, text: &str) -> Option<&'s str> {
        for (n, text) in text.split('/').enumerate() {
            if n > 0 {
                let lost = self.part.lost(self.source, self.number);
                if lost.is_some() {
                    return lost;
                }
                (self.part, self.number) = (OpenPart::default(), self.number + 1);
            }
            self.part.has_text |= !text.trim().is_empty();
        }
        None
    }

    /// Reads an expression, or the arguments of a `concat`, whose range is `whole`.
    fn expression(&mut self, expr: &Expr, text: &str, whole: (usize, usize)) -> Option<&'s str> {
        let Some(args) = concatenated(expr) else {
            let known = (self.value)(expr, text);
            let is_blank = known
                .is_some_and(|value| value.split('/').all(|name| matches!(name.trim(), "" | ".")));
            self.part.take(is_blank, is_name_node(expr), whole);
            return None;
        };
        args.iter().find_map(|arg| match &arg.kind {
            ExprKind::Literal(Literal::Text(text)) => self.text(text),
            _ => {
                let written = self.source.get(arg.range.start..arg.range.end)?;
                self.expression(arg, &format!("${{{written}}}"), whole)
            }
        })
    }
}

/// The arguments of `concat`.
fn concatenated(expr: &Expr) -> Option<&[Expr]> {
    match &expr.kind {
        ExprKind::Call {
            prefix: None,
            name,
            args,
            ..
        } if name == "concat" => Some(args),
        _ => None,
    }
}

/// Whether a template contains a literal slash.
fn has_slash(template: &Template) -> bool {
    fn in_expression(expr: &Expr) -> bool {
        concatenated(expr).is_some_and(|args| {
            args.iter().any(|arg| match &arg.kind {
                ExprKind::Literal(Literal::Text(text)) => text.contains('/'),
                _ => in_expression(arg),
            })
        })
    }
    template.parts.iter().any(|part| match part {
        Part::Text(text, _) => text.contains('/'),
        Part::Expr(expr) => in_expression(expr),
    })
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

/// A part that is being read.
#[derive(Default)]
struct OpenPart {
    has_text: bool,
    /// From the first expression to the last.
    range: Option<(usize, usize)>,
    is_name_node: Option<bool>,
}

impl OpenPart {
    /// Adds an expression, whose range is given.
    fn take(&mut self, is_blank: bool, is_name_node: bool, (start, end): (usize, usize)) {
        self.has_text |= !is_blank;
        self.is_name_node = Some(self.is_name_node.unwrap_or(true) && is_name_node);
        self.range = Some((self.range.map_or(start, |(start, _)| start), end));
    }

    fn lost<'s>(&self, source: &'s str, number: usize) -> Option<&'s str> {
        let (start, end) = self.range.filter(|_| !self.has_text)?;
        if number == 0 && self.is_name_node == Some(true) {
            return None;
        }
        source.get(start..end)
    }
}

/// Whether an expression is a name-node property, judging by its name: `nameNode`, `name_node`, `defaultFS`.
fn is_name_node(expr: &Expr) -> bool {
    let name = match &expr.kind {
        ExprKind::Variable(name) => name,
        ExprKind::Call { name, args, .. } if name == "conf" => match args.as_slice() {
            [argument] => match &argument.kind {
                ExprKind::Literal(Literal::Text(name)) => name,
                _ => return false,
            },
            _ => return false,
        },
        _ => return false,
    };
    let name: String = name
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
