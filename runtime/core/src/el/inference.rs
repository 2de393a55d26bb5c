//! Static analysis of an expression: its type, and its value if it is constant.

use chrono::{DateTime, Utc};

use crate::{
    el::{
        ast::{BinaryOp, Expr, ExprKind, Literal, UnaryOp},
        constants, eval,
        functions::{self, Needs},
        scope::Scope,
        types::Type,
        value::Value,
    },
    limits,
};

/// The type that is certain for `expr`, whatever the properties are. Variables are texts; an unknown function may return
/// anything.
pub fn infer(expr: &Expr) -> Type {
    match &expr.kind {
        ExprKind::Literal(Literal::Null) => Type::Null,
        ExprKind::Literal(Literal::Bool(_)) => Type::Bool,
        ExprKind::Literal(Literal::Long(_)) => Type::Long,
        ExprKind::Literal(Literal::Double(_)) => Type::Double,
        ExprKind::Literal(Literal::Text(_)) => Type::Text,
        ExprKind::Variable(name) => {
            constants::find(name).map_or(Type::Text, constants::Constant::result)
        }
        ExprKind::Unary { op, operand } => match op {
            UnaryOp::Not | UnaryOp::Empty => Type::Bool,
            UnaryOp::Minus => match infer(operand) {
                Type::Null | Type::Long => Type::Long,
                Type::Double => Type::Double,
                Type::Bool | Type::Text | Type::NullableText | Type::Map | Type::Object => {
                    Type::Object
                }
            },
        },
        ExprKind::Binary { op, left, right } => binary(*op, infer(left), infer(right)),
        ExprKind::Conditional {
            then, otherwise, ..
        } => infer(then).or(infer(otherwise)),
        ExprKind::Index { base, .. } | ExprKind::Property { base, .. } => entry(base),
        ExprKind::Call {
            prefix, name, args, ..
        } => match (prefix.as_deref(), name.as_str(), args.as_slice()) {
            (None, "firstNotNull", [first, second]) => first_not_null(infer(first), infer(second)),
            (prefix, name, _) => {
                functions::find(prefix, name).map_or(Type::Object, |function| function.result)
            }
        },
    }
}

fn binary(op: BinaryOp, left: Type, right: Type) -> Type {
    match op {
        BinaryOp::Less
        | BinaryOp::Greater
        | BinaryOp::LessOrEqual
        | BinaryOp::GreaterOrEqual
        | BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::And
        | BinaryOp::Or => Type::Bool,
        BinaryOp::Divide => match (left, right) {
            (Type::Null, Type::Null) => Type::Long,
            // Null divided by null is the Long 0.
            (left, right) if left.is_nullable() && right.is_nullable() => Type::Object,
            _ => Type::Double,
        },
        BinaryOp::Multiply | BinaryOp::Modulo | BinaryOp::Add | BinaryOp::Subtract => {
            match (left, right) {
                (Type::Double, _) | (_, Type::Double) => Type::Double,
                (Type::Long | Type::Null, Type::Long | Type::Null) => Type::Long,
                // A text is Double or Long depending on its content.
                _ => Type::Object,
            }
        }
    }
}

fn entry(base: &Expr) -> Type {
    match &base.kind {
        ExprKind::Call {
            prefix: Some(prefix),
            name,
            ..
        } if prefix == "wf" && name == "actionData" => Type::NullableText,
        _ if infer(base) == Type::Null => Type::Null,
        _ => Type::Object,
    }
}

fn first_not_null(first: Type, second: Type) -> Type {
    match (first, second) {
        (Type::Null, second) => second,
        (first, _) if !first.is_nullable() => first,
        (Type::NullableText, Type::Text) => Type::Text,
        (Type::NullableText, Type::NullableText | Type::Null) => Type::NullableText,
        _ => Type::Object,
    }
}

/// The value of a constant expression; `None` if it has an error, needs anything from outside, or is a text longer than
/// [`limits::MAX_KNOWN_TEXT`], which generated code should compute when it is needed.
pub fn fold(expr: &Expr) -> Option<Value> {
    if asks(expr) {
        return None;
    }
    let value = eval::evaluate_expr(expr, &Nothing).ok()?;
    match &value {
        Value::Text(text) if text.len() > limits::MAX_KNOWN_TEXT => None,
        Value::Null
        | Value::Bool(_)
        | Value::Long(_)
        | Value::Double(_)
        | Value::Text(_)
        | Value::Map(_) => Some(value),
    }
}

/// Whether a function in `expr` gives different results at different times or on different machines.
fn asks(expr: &Expr) -> bool {
    let is_asking = match &expr.kind {
        ExprKind::Call { prefix, name, .. } => functions::find(prefix.as_deref(), name)
            .is_none_or(|function| function.needs != Needs::Nothing),
        ExprKind::Literal(_)
        | ExprKind::Variable(_)
        | ExprKind::Unary { .. }
        | ExprKind::Binary { .. }
        | ExprKind::Conditional { .. }
        | ExprKind::Index { .. }
        | ExprKind::Property { .. } => false,
    };
    is_asking || expr.children().into_iter().any(asks)
}

/// The scope of constant folding: no variables, no job.
struct Nothing;

impl Scope for Nothing {
    fn variable(&self, _name: &str) -> Option<Value> {
        None
    }

    /// Never called: [`fold`] refuses every function that needs the clock.
    fn now(&self) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH
    }
}
