//! Generates Rust code from expressions.
//!
//! The generated code calls the same operators and functions as the tree-walking interpreter. Where types are known
//! statically, it uses plain Rust types; elsewhere [`Value`]s. Both give the interpreter's results, in its order of
//! evaluation.

use hpdlc_core::el::{
    ast::{self, BinaryOp, Expr, ExprKind, Part, Template, UnaryOp},
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
use crate::codegen::names::Namer;

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

/// The function of a template; it returns the text.
pub(crate) fn text_fn(name: &Ident, source: &str, template: &Template) -> TokenStream {
    let body = if template.expressions().any(depth::is_too_deep) {
        let mut split = Split::default();
        let parts = template.parts.iter().map(|part| match part {
            Part::Text(..) => part.clone(),
            Part::Expr(expr) => Part::Expr(split.expr(expr.clone())),
        });
        let body = text_body(&parts.collect::<Vec<Part>>());
        let functions = split.functions();
        quote!(#functions #body)
    } else {
        text_body(&template.parts)
    };
    function(name, source, &quote!(String), &body)
}

fn text_body(parts: &[Part]) -> TokenStream {
    match parts {
        [Part::Expr(expr)] => operand(expr).into_text_result(),
        parts => format_result(parts),
    }
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

/// The concatenation of several parts, through `format_args!`.
///
/// Values are bound to names first, in the order of evaluation, because the formatter does not format the arguments of a macro.
fn format_result(parts: &[Part]) -> TokenStream {
    let mut layout = String::new();
    let mut bindings = Vec::new();
    let mut namer = Namer::with_reserved(&["scope"]);
    for part in parts {
        match part {
            Part::Text(text, _) => push_escaped(&mut layout, text),
            Part::Expr(expr) => match constant(expr) {
                Some(value) => push_escaped(&mut layout, &value.to_text()),
                None => {
                    let name = namer.claim(described(expr), "value").snake_ident();
                    let value = operand(expr).into_display();
                    layout.push_str(&format!("{{{name}}}"));
                    bindings.push(quote!(let #name = #value;));
                }
            },
        }
    }
    quote! {
        #(#bindings)*
        results::joined(format_args!(#layout))
    }
}

/// A readable name for the value.
fn described(expr: &Expr) -> &str {
    match &expr.kind {
        ExprKind::Variable(name) | ExprKind::Property { name, .. } => name,
        ExprKind::Call { name, args, .. } => match args.first().map(|arg| &arg.kind) {
            Some(ExprKind::Literal(ast::Literal::Text(text))) if name == "conf" => text,
            Some(_) | None => name,
        },
        ExprKind::Index { index, .. } => match &index.kind {
            ExprKind::Literal(ast::Literal::Text(text)) => text,
            ExprKind::Literal(_)
            | ExprKind::Variable(_)
            | ExprKind::Unary { .. }
            | ExprKind::Binary { .. }
            | ExprKind::Conditional { .. }
            | ExprKind::Index { .. }
            | ExprKind::Property { .. }
            | ExprKind::Call { .. } => "entry",
        },
        ExprKind::Literal(_)
        | ExprKind::Unary { .. }
        | ExprKind::Binary { .. }
        | ExprKind::Conditional { .. } => "value",
    }
}

fn push_escaped(layout: &mut String, text: &str) {
    layout.push_str(&text.replace('{', "{{").replace('}', "}}"));
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
