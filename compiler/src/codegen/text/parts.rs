//! Texts as data: literals, properties, function calls, map entries. An operator is a function.

use std::collections::BTreeSet;

use hpdlc_core::el::{
    ast::{self, Expr, ExprKind},
    eval,
    functions::{self, Dialect, Function, Needs, wf},
    value::Value,
};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use crate::codegen::{
    expression::{self, double, snake},
    functions::Gives,
    names, own_functions,
};

/// The maximum depth of nested calls in data: rustc recurses on them.
const MAX_HEIGHT: usize = 50;

/// A `Part` of the table.
pub(crate) enum PartExpr<'t> {
    Text(&'t str),
    Constant(Value),
    Property(&'t str),
    Call(&'static Function, Vec<PartExpr<'t>>),
    /// The call of a function of the program: prefix, name, arguments.
    OwnCall(&'t str, &'t str, Vec<PartExpr<'t>>),
    Entry(Box<[PartExpr<'t>; 2]>),
    Member(Box<PartExpr<'t>>, &'t str),
    /// A node's captured output for a key: node, key.
    Captured(String, String),
    /// An expression with an operator, and any that cannot be data.
    Code(CodeExpr<'t>),
}

/// An expression that becomes a function.
#[derive(Clone, Copy)]
pub(crate) struct CodeExpr<'t> {
    pub(crate) expr: &'t Expr,
    /// The expression as written.
    pub(crate) source: &'t str,
}

/// The parts of a text; `source` is the text as written.
pub(super) fn of<'t>(ast: &'t ast::Template, source: &'t str) -> Vec<PartExpr<'t>> {
    let parts = ast.parts.iter().map(|part| match part {
        ast::Part::Text(text, _) => PartExpr::Text(text),
        ast::Part::Expr(expr) => of_expr(expr, source, MAX_HEIGHT, Position::Top),
    });
    parts.collect()
}

/// The position of an expression in its text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    Top,
    /// An argument of a `concat` that is itself at the top or such an argument.
    Concatenated,
    Inside,
}

/// `source`: the text that contains the expression. `height`: the maximum depth of the data.
fn of_expr<'t>(expr: &'t Expr, source: &'t str, height: usize, position: Position) -> PartExpr<'t> {
    if let Some(value) = expression::constant(expr)
        && is_as_written(expr, &value, position)
    {
        return PartExpr::Constant(value);
    }
    let data = height
        .checked_sub(1)
        .and_then(|height| data(expr, source, height, position));
    data.unwrap_or_else(|| {
        let source = &source[expr.range.start..expr.range.end];
        PartExpr::Code(CodeExpr { expr, source })
    })
}

/// Whether a path loses no other parts if its author had written the value of a constant expression instead: see
/// [`hpdlc_core::empty_parts`], which cannot tell the two apart in the table.
fn is_as_written(expr: &Expr, value: &Value, position: Position) -> bool {
    let Value::Text(text) = value else {
        return true;
    };
    if position == Position::Inside || !(text.contains('/') || matches!(text.trim(), "" | ".")) {
        return true;
    }
    match &expr.kind {
        ExprKind::Literal(_) => position == Position::Concatenated,
        ExprKind::Call { args, .. } if is_concat(expr) => args.iter().all(|arg| {
            expression::constant(arg)
                .is_some_and(|value| is_as_written(arg, &value, Position::Concatenated))
        }),
        _ => false,
    }
}

fn is_concat(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Call { prefix: None, name, .. } if name == "concat")
}

/// The expression as data, unless it is an operator.
fn data<'t>(
    expr: &'t Expr,
    source: &'t str,
    height: usize,
    position: Position,
) -> Option<PartExpr<'t>> {
    let below = if position != Position::Inside && is_concat(expr) {
        Position::Concatenated
    } else {
        Position::Inside
    };
    let of_expr = |expr| of_expr(expr, source, height, below);
    match &expr.kind {
        ExprKind::Variable(name) => Some(PartExpr::Property(name)),
        ExprKind::Call {
            prefix, name, args, ..
        } => {
            let Some(function) = functions::find(prefix.as_deref(), name) else {
                // Another unknown function has been reported.
                let args = args.iter().map(of_expr).collect();
                return Some(PartExpr::OwnCall(prefix.as_deref()?, name, args));
            };
            if function.params.len() != args.len() {
                return None;
            }
            let args = args.iter().map(of_expr).collect();
            Some(PartExpr::Call(function, args))
        }
        ExprKind::Index { base, index } => {
            let (base, index) = (of_expr(base), of_expr(index));
            Some(match (captured_node(&base), index) {
                (Some(node), PartExpr::Constant(Value::Text(key))) => {
                    PartExpr::Captured(node.to_owned(), key)
                }
                (_, index) => PartExpr::Entry(Box::new([base, index])),
            })
        }
        ExprKind::Property { base, name, .. } => {
            let base = of_expr(base);
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
    /// `Part::Call(&wf::CONF, &[Part::Text("queue")])`
    pub(crate) fn expr(&self, place: &mut dyn CodeHome) -> TokenStream {
        match self {
            PartExpr::Text(text) => quote!(Part::Text(#text)),
            PartExpr::Constant(value) => constant(value),
            PartExpr::Property(name) => {
                let constant = place.property(name);
                quote!(Part::Property(#constant))
            }
            PartExpr::Call(function, args) => {
                let function = path(function);
                let args: Vec<_> = args.iter().map(|arg| arg.expr(place)).collect();
                quote!(Part::Call(&#function, &[#(#args),*]))
            }
            PartExpr::OwnCall(prefix, name, args) => {
                let function = own_functions::path(prefix, name);
                let args: Vec<_> = args.iter().map(|arg| arg.expr(place)).collect();
                quote!(Part::Call(#function, &[#(#args),*]))
            }
            PartExpr::Entry(both) => {
                let [base, key] = both.as_ref();
                let (base, key) = (base.expr(place), key.expr(place));
                quote!(Part::Entry(&[#base, #key]))
            }
            PartExpr::Member(base, key) => {
                let base = base.expr(place);
                quote!(Part::Member(&#base, #key))
            }
            PartExpr::Captured(node, key) => quote!(Part::Captured(#node, #key)),
            PartExpr::Code(code) => {
                let function = code.function(place, Gives::Value);
                let needs = code.needs();
                let names = code.names().into_iter();
                let names: Vec<_> = names.map(|name| place.property(name)).collect();
                quote!(Part::Code(#needs, &[#(#names),*], #function))
            }
        }
    }
}

/// The module of a document that a text belongs to, with what its parts refer to.
pub(crate) trait CodeHome {
    /// The constant of a property's name.
    fn property(&mut self, name: &str) -> TokenStream;

    /// The path to the function of an equal expression; if there is none yet, `write` generates it.
    fn function(
        &mut self,
        source: &str,
        gives: Gives,
        write: &dyn Fn(&Ident) -> TokenStream,
    ) -> TokenStream;
}

impl CodeExpr<'_> {
    /// The path to the function of the expression.
    pub(crate) fn function(&self, place: &mut dyn CodeHome, gives: Gives) -> TokenStream {
        let CodeExpr { expr, source } = *self;
        place.function(source, gives, &|name| match gives {
            Gives::Value => expression::value_fn(name, source, expr),
            Gives::Bool => expression::bool_fn(name, source, expr),
        })
    }

    /// The names of the properties and of the coordinator's inputs and outputs that it reads, or would read in another case.
    /// `my-property`, which is a subtraction, is one of them, because the author may have meant it.
    fn names(&self) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        if eval::property_name(self.expr).is_some_and(|name| name == self.source) {
            names.insert(self.source);
        }
        let mut left = vec![self.expr];
        while let Some(expr) = left.pop() {
            names.extend(eval::read_property(expr));
            names.extend(event(expr));
            left.extend(expr.children());
        }
        names
    }

    /// `Needs::Job`: the maximum that a function in it needs.
    pub(crate) fn needs(&self) -> TokenStream {
        let called = functions::called_in(self.expr).into_iter().flatten();
        let needs = called.map(|function| function.needs).max();
        let variant = names::ident(&format!("{:?}", needs.unwrap_or(Needs::Nothing)));
        quote!(Needs::#variant)
    }
}

/// The name of the input or output that a call such as `coord:dataIn('raw')` asks about.
fn event(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Call {
            prefix: Some(prefix),
            name,
            args,
            ..
        } if prefix == "coord" && name != "conf" => args.first()?.as_text(),
        _ => None,
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

/// `wf::LAST_ERROR_NODE`; `coord::BUNDLE_CONF` for that of bundles.
fn path(function: &Function) -> TokenStream {
    if function.needs == Needs::Coordinator {
        let bundle = if function.prefix == Some("bundle") {
            "BUNDLE_"
        } else {
            ""
        };
        let name = snake(function.name).to_ascii_uppercase();
        let name = names::ident(&format!("{bundle}{name}"));
        return quote!(coord::#name);
    }
    let module = match function.prefix {
        _ if !function.is_of(Dialect::Oozie) => "proposal",
        Some(prefix) => prefix,
        None => "basic",
    };
    let module = names::ident(module);
    let name = names::ident(&snake(function.name).to_ascii_uppercase());
    quote!(#module::#name)
}
