//! Values of workflow code: what is known when the program is compiled, and what an expression gives.

use crate::rust::{
    document::{Text, quoted},
    place::Place,
};

/// What is known of the type of a value from the workflow alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Text,
    Number,
    Bool,
    /// The field of an action's data: rustc knows it, the workflow does not say it.
    Field,
}

/// Code of the expression language, in parts with the places that they come from.
pub(super) type Code = Vec<(String, Option<Place>)>;

#[derive(Clone, Debug)]
pub(super) enum Value {
    /// A literal, as it is spelled in the expression language without quotes.
    Literal(String, Type, Place),
    Expression(Code, Type),
    /// Operators and their operands, which need parentheses as an operand.
    Operation(Code, Type),
    /// Literal text and expressions, by `format!`.
    Template(Text),
    /// `el!("…")`, as it stands; code if it is one expression.
    Verbatim(String, Place),
}

impl Value {
    pub(super) fn type_of(&self) -> Type {
        match self {
            Value::Literal(_, of, _) | Value::Expression(_, of) | Value::Operation(_, of) => *of,
            Value::Template(_) => Type::Text,
            Value::Verbatim(..) => Type::Field,
        }
    }

    pub(super) fn is_literal(&self) -> bool {
        matches!(self, Value::Literal(..))
    }

    /// The value as a text of the document.
    pub(super) fn into_text(self) -> Text {
        match self {
            Value::Literal(text, _, place) => Text::literal(text, Some(place)),
            Value::Expression(code, _) | Value::Operation(code, _) => Text::expression(code),
            Value::Template(text) => text,
            Value::Verbatim(text, place) => Text::verbatim(text, place),
        }
    }

    /// The value as an operand; `None` where it is more than one expression.
    pub(super) fn into_operand(self) -> Option<Code> {
        match self {
            Value::Literal(text, Type::Text, place) => Some(vec![(quoted(&text), Some(place))]),
            Value::Literal(text, _, place) => Some(vec![(text, Some(place))]),
            Value::Expression(code, _) => Some(code),
            Value::Operation(code, _) => Some(parenthesized(code)),
            Value::Template(text) => text.as_literal().map(|text| vec![(quoted(&text), None)]),
            Value::Verbatim(text, place) => {
                let code = text.strip_prefix("${")?.strip_suffix('}')?;
                let is_one = !code.contains("${");
                is_one.then(|| vec![(format!("({code})"), Some(place))])
            }
        }
    }
}

/// `(` code `)`.
pub(super) fn parenthesized(mut code: Code) -> Code {
    code.insert(0, ("(".to_owned(), None));
    code.push((")".to_owned(), None));
    code
}

/// `left operator right`.
pub(super) fn infix(mut left: Code, operator: &str, right: Code) -> Code {
    left.push((format!(" {operator} "), None));
    left.extend(right);
    left
}
