//! Texts as data: literals, properties, function calls, map entries.

use hpdlc_core::el::{
    ast::{self, Expr, ExprKind},
    functions::{self, Dialect, Function, wf},
    value::Value,
};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::codegen::{
    expression::{self, double, snake},
    names,
};

/// The maximum depth of nested calls in data: rustc recurses on them.
const MAX_HEIGHT: usize = 50;

/// A `Part` of the table.
pub(crate) enum PartExpr<'t> {
    Text(&'t str),
    Constant(Value),
    Property(&'t str),
    Call(&'static Function, Vec<PartExpr<'t>>),
    Entry(Box<[PartExpr<'t>; 2]>),
    Member(Box<PartExpr<'t>>, &'t str),
    /// A node's captured output for a key: node, key.
    Captured(String, String),
}

/// The parts of a text; `None` if one has operators.
pub(super) fn of(ast: &ast::Template) -> Option<Vec<PartExpr<'_>>> {
    ast.parts
        .iter()
        .map(|part| match part {
            ast::Part::Text(text, _) => Some(PartExpr::Text(text)),
            ast::Part::Expr(expr) => of_expr(expr, MAX_HEIGHT),
        })
        .collect()
}

fn of_expr(expr: &Expr, height: usize) -> Option<PartExpr<'_>> {
    let height = height.checked_sub(1)?;
    if let Some(value) = expression::constant(expr) {
        return Some(PartExpr::Constant(value));
    }
    match &expr.kind {
        ExprKind::Variable(name) => Some(PartExpr::Property(name)),
        ExprKind::Call {
            prefix, name, args, ..
        } => {
            // A call of an unknown function has been reported.
            let function = functions::find(prefix.as_deref(), name)?;
            if function.params.len() != args.len() {
                return None;
            }
            let args = args.iter().map(|arg| of_expr(arg, height));
            Some(PartExpr::Call(function, args.collect::<Option<_>>()?))
        }
        ExprKind::Index { base, index } => {
            let (base, index) = (of_expr(base, height)?, of_expr(index, height)?);
            Some(match (captured_node(&base), index) {
                (Some(node), PartExpr::Constant(Value::Text(key))) => {
                    PartExpr::Captured(node.to_owned(), key)
                }
                (_, index) => PartExpr::Entry(Box::new([base, index])),
            })
        }
        ExprKind::Property { base, name, .. } => {
            let base = of_expr(base, height)?;
            Some(match captured_node(&base) {
                Some(node) => PartExpr::Captured(node.to_owned(), name.clone()),
                None => PartExpr::Member(Box::new(base), name),
            })
        }
        ExprKind::Literal(_)
        | ExprKind::Unary { .. }
        | ExprKind::Binary { .. }
        | ExprKind::Conditional { .. } => None,
    }
}

/// The node in `wf:actionData('node')`.
fn captured_node<'p>(part: &'p PartExpr<'_>) -> Option<&'p str> {
    match part {
        PartExpr::Call(function, args) if std::ptr::eq(*function, &wf::ACTION_DATA) => {
            match args.as_slice() {
                [PartExpr::Constant(Value::Text(node))] => Some(node),
                _ => None,
            }
        }
        _ => None,
    }
}

impl PartExpr<'_> {
    /// `Part::Call(&wf::CONF, &[Part::Text("queue")])`. `property` returns the constant of a property's name.
    pub(crate) fn expr(&self, property: &mut impl FnMut(&str) -> TokenStream) -> TokenStream {
        match self {
            PartExpr::Text(text) => quote!(Part::Text(#text)),
            PartExpr::Constant(value) => constant(value),
            PartExpr::Property(name) => {
                let constant = property(name);
                quote!(Part::Property(#constant))
            }
            PartExpr::Call(function, args) => {
                let function = path(function);
                let args: Vec<_> = args.iter().map(|arg| arg.expr(property)).collect();
                quote!(Part::Call(&#function, &[#(#args),*]))
            }
            PartExpr::Entry(both) => {
                let [base, key] = both.as_ref();
                let (base, key) = (base.expr(property), key.expr(property));
                quote!(Part::Entry(&[#base, #key]))
            }
            PartExpr::Member(base, key) => {
                let base = base.expr(property);
                quote!(Part::Member(&#base, #key))
            }
            PartExpr::Captured(node, key) => quote!(Part::Captured(#node, #key)),
        }
    }
}

fn constant(value: &Value) -> TokenStream {
    match value {
        Value::Bool(value) => quote!(Part::Bool(#value)),
        Value::Long(value) => {
            let literal = Literal::i64_unsuffixed(*value);
            quote!(Part::Long(#literal))
        }
        Value::Double(value) => {
            let literal = double(*value);
            quote!(Part::Double(#literal))
        }
        Value::Text(text) => quote!(Part::Text(#text)),
        // Constants are never maps.
        Value::Null | Value::Map(_) => quote!(Part::Null),
    }
}

/// `wf::LAST_ERROR_NODE`
fn path(function: &Function) -> TokenStream {
    let module = match function.prefix {
        _ if !function.is_of(Dialect::Oozie) => "proposal",
        Some(prefix) => prefix,
        None => "basic",
    };
    let module = names::ident(module);
    let name = names::ident(&snake(function.name).to_ascii_uppercase());
    quote!(#module::#name)
}
