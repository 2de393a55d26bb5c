//! Lost parts of the paths in the table, found without parsing them.

use hpdlc_core::{
    el::{functions::basic, scope::Scope},
    empty_parts::{self, Lost, PathExpr, Piece},
};

use crate::{
    evaluate::evaluate_text,
    table::{Part, Template},
};

impl Template {
    /// The first lost part of this path, as written in the document.
    pub fn lost_part(&self, scope: &dyn Scope, lost: &Lost) -> Option<String> {
        let source = self.source();
        let Some(pieces) = self.pieces() else {
            let value = |text: &str| evaluate_text(scope, text).ok();
            return empty_parts::first_of_text(&source, value, lost).map(str::to_owned);
        };
        let found = empty_parts::first_lost(&pieces, |part| part.text(scope), lost)?;
        let part = empty_parts::pieces_of_text(&source, found).unwrap_or(&source);
        Some(part.to_owned())
    }

    /// Whether this text of a property is a path that loses a part.
    pub fn is_lost(&self, scope: &dyn Scope, lost: &Lost) -> bool {
        match self.pieces() {
            Some(pieces) => empty_parts::is_lost(&pieces, |part| part.text(scope), lost),
            None => {
                let value = |text: &str| evaluate_text(scope, text).ok();
                lost.is_lost_in(&self.source(), value)
            }
        }
    }

    /// The pieces of a text; `None` if only its source is known. There are as many as in the text's syntax tree.
    fn pieces(&self) -> Option<Vec<Piece<'static, Part>>> {
        let mut pieces = Vec::new();
        match *self {
            Template::Text(_, text) => push_text(&mut pieces, text),
            Template::Property(_, _, name) => pieces.push(Piece::Expr(Part::Property(name))),
            Template::Around(_, _, before, name, behind) => {
                push_text(&mut pieces, before);
                pieces.push(Piece::Expr(Part::Property(name)));
                push_text(&mut pieces, behind);
            }
            Template::Join(_, _, properties, tail) => {
                for (before, name) in properties {
                    push_text(&mut pieces, before);
                    pieces.push(Piece::Expr(Part::Property(name)));
                }
                push_text(&mut pieces, tail);
            }
            Template::Parts(_, _, _, parts) => pieces.extend(parts.iter().map(piece)),
            // A case of a decision is not a path.
            Template::Test(..) => return None,
            Template::Placed(placed) => return placed.text.pieces(),
            Template::Outside(outside) => return outside.text.pieces(),
        }
        Some(pieces)
    }
}

fn push_text(pieces: &mut Vec<Piece<'static, Part>>, text: &'static str) {
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
}

fn piece(part: &Part) -> Piece<'static, Part> {
    match *part {
        Part::Text(text) => Piece::Text(text),
        part => Piece::Expr(part),
    }
}

impl PathExpr<'static> for Part {
    fn concatenated(self) -> Option<Vec<Piece<'static, Part>>> {
        match self {
            Part::Call(function, arguments) if std::ptr::eq(function, &basic::CONCAT) => {
                Some(arguments.iter().map(piece).collect())
            }
            _ => None,
        }
    }

    fn property(self) -> Option<&'static str> {
        match self {
            Part::Property(name) => Some(name),
            Part::Call(function, [Part::Text(name)]) if function.name == "conf" => Some(name),
            _ => None,
        }
    }

    fn reads(self, lost: &Lost) -> bool {
        if self.property().is_some_and(|name| lost.has(name)) {
            return true;
        }
        match self {
            Part::Call(function, [Part::Text(event), ..])
                if function.prefix == Some("coord") && lost.has_event(event) =>
            {
                true
            }
            Part::Call(_, arguments) => arguments.iter().any(|part| part.reads(lost)),
            Part::Entry(both) => both.iter().any(|part| part.reads(lost)),
            Part::Member(base, _) => {
                base.reads(lost) || self.dotted().is_some_and(|name| lost.has(&name))
            }
            Part::Code(_, names, _) => names
                .iter()
                .any(|name| lost.has(name) || lost.has_event(name)),
            Part::Null
            | Part::Bool(_)
            | Part::Long(_)
            | Part::Double(_)
            | Part::Text(_)
            | Part::Property(_)
            | Part::Captured(_, _) => false,
        }
    }
}

impl Part {
    /// The property that the author may have meant by `a.b`.
    fn dotted(&self) -> Option<String> {
        match self {
            Part::Property(name) => Some((*name).to_owned()),
            Part::Member(base, name) => Some(format!("{}.{name}", base.dotted()?)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
