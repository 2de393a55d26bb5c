//! Generates Rust code from expressions.
//!
//! The generated code calls the same operators and functions as the tree-walking interpreter. Where types are known
//! statically, it uses plain Rust types; elsewhere [`Value`]s. Both give the interpreter's results, in its order of
//! evaluation.

use hpdlc_core::el::{
    ast::{BinaryOp, Expr, ExprKind, UnaryOp},
    inference,
    types::Type,
    value::Value,
};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

mod call;
mod depth;
mod operand;
mod operator;

pub(crate) use self::{call::snake, operand::double};

use self::{depth::Split, operand::Operand};
/// The value of a constant expression (constant folding), unless it is a map.
pub(crate) fn constant(expr: &Expr) -> Option<Value> {
    match inference::fold(expr)? {
        Value::Map(_) => None,
        value @ (Value::Null
        | Value::Bool(_)
        | Value::Long(_)
        | Value::Double(_)
        | Value::Text(_)) => Some(value),
    }
}

/// Whether the expression is statically known to be boolean, and is not too deep for one function.
pub(crate) fn is_bool(expr: &Expr) -> bool {
    inference::infer(expr) == Type::Bool && !depth::is_too_deep(expr)
}

/// The function of an expression; it returns a `Value`. `source` is the expression as written.
pub(crate) fn value_fn(name: &Ident, source: &str, expr: &Expr) -> TokenStream {
    let body = if depth::is_too_deep(expr) {
        let mut split = Split::default();
        let result = operand(&split.expr(expr.clone())).result();
        let functions = split.functions();
        quote!(#functions #result)
    } else {
        operand(expr).result()
    };
    function(name, source, &quote!(Value), &body)
}

/// The function of an expression that is statically known to be boolean.
pub(crate) fn bool_fn(name: &Ident, source: &str, expr: &Expr) -> TokenStream {
    function(
        name,
        source,
        &quote!(bool),
        &operand(expr).into_bool_result(),
    )
}

fn function(name: &Ident, source: &str, result: &TokenStream, body: &TokenStream) -> TokenStream {
    let words: Vec<&str> = source.split_whitespace().collect();
    let doc = format!(" `{}`", words.join(" "));
    quote! {
        #[doc = #doc]
        pub(super) fn #name(scope: &dyn Scope) -> Result<#result, ElError> {
            #body
        }
    }
}

/// Generates the code of an expression.
fn operand(expr: &Expr) -> Operand {
    if let Some(value) = constant(expr) {
        return Operand::constant(&value);
    }
    match &expr.kind {
        // Every literal is constant.
        ExprKind::Literal(literal) => {
            Operand::constant(&hpdlc_core::el::eval::literal_value(literal))
        }
        ExprKind::Variable(name) => Operand::variable(name),
        ExprKind::Unary {
            op: UnaryOp::Minus,
            operand: inner,
        } => operator::negate(operand(inner)),
        ExprKind::Unary {
            op: UnaryOp::Not,
            operand: inner,
        } => operator::not(operand(inner)),
        ExprKind::Unary {
            op: UnaryOp::Empty,
            operand: inner,
        } => operator::empty(operand(inner)),
        ExprKind::Binary { op, left, right } => binary(*op, left, right),
        ExprKind::Conditional {
            condition,
            then,
            otherwise,
        } => operator::conditional(operand(condition), operand(then), operand(otherwise)),
        ExprKind::Index { base, index } => operator::index(operand(base), operand(index)),
        ExprKind::Property { base, name, .. } => operator::property(operand(base), name),
        ExprKind::Call {
            prefix, name, args, ..
        } => call::function(prefix.as_deref(), name, args.iter().map(operand).collect()),
    }
}

fn binary(op: BinaryOp, left: &Expr, right: &Expr) -> Operand {
    let (left, right) = (operand(left), operand(right));
    match op {
        BinaryOp::Multiply
        | BinaryOp::Divide
        | BinaryOp::Modulo
        | BinaryOp::Add
        | BinaryOp::Subtract => operator::arithmetic(op, left, right),
        BinaryOp::Less | BinaryOp::Greater | BinaryOp::LessOrEqual | BinaryOp::GreaterOrEqual => {
            operator::order(op, left, right)
        }
        BinaryOp::Equal => operator::equality(left, right, true),
        BinaryOp::NotEqual => operator::equality(left, right, false),
        BinaryOp::And | BinaryOp::Or => operator::logic(op, left, right),
    }
}

#[cfg(test)]
mod tests;
