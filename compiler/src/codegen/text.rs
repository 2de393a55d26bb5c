//! The representation of texts in the table.

pub(crate) mod parts;
pub(crate) mod places;

use hpdlc_core::el::ast::{self, ExprKind};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use self::parts::{CodeExpr, PartExpr};
use crate::{codegen::expression, model::Template};

/// The representation of a text.
pub(crate) enum Compiled<'t> {
    Simple(SimpleText<'t>),
    /// Data with function calls, and functions of expressions.
    Parts(Vec<PartExpr<'t>>),
    /// A function that returns the value of this expression, which is statically known to be boolean.
    Test(CodeExpr<'t>),
}

/// A text with no expressions but properties, which can be reconstructed exactly from its parts.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum SimpleText<'t> {
    Text(&'t str),
    Property(&'t str),
    /// The text before the property, its name, the text after it.
    Around(&'t str, &'t str, &'t str),
    /// Each property with the text before it, and the text after the last.
    Join(Vec<(&'t str, &'t str)>, &'t str),
}

impl<'t> Compiled<'t> {
    pub(crate) fn of(template: &'t Template) -> Compiled<'t> {
        if let Some(simple) = SimpleText::of(&template.ast, template.text.as_str()) {
            return Compiled::Simple(simple);
        }
        Compiled::Parts(parts::of(&template.ast, template.text.as_str()))
    }

    /// The representation of a case of a decision.
    pub(crate) fn of_case(template: &'t Template) -> Compiled<'t> {
        match Compiled::of(template) {
            Compiled::Parts(parts) => match parts.as_slice() {
                [PartExpr::Code(code)] if expression::is_bool(code.expr) => Compiled::Test(*code),
                _ => Compiled::Parts(parts),
            },
            compiled => compiled,
        }
    }
}

impl<'t> SimpleText<'t> {
    fn of(ast: &'t ast::Template, source: &'t str) -> Option<SimpleText<'t>> {
        let mut properties = Vec::new();
        let mut before = "";
        let mut written = String::with_capacity(source.len());
        for part in &ast.parts {
            match part {
                ast::Part::Text(text, _) => {
                    written.push_str(text);
                    before = text;
                }
                ast::Part::Expr(expr) => {
                    let ExprKind::Variable(name) = &expr.kind else {
                        return None;
                    };
                    if expression::constant(expr).is_some() {
                        return None;
                    }
                    written.push_str("${");
                    written.push_str(name);
                    written.push('}');
                    properties.push((before, name.as_str()));
                    before = "";
                }
            }
        }
        // A different spelling, such as `${ name }`, cannot be reconstructed from the parts.
        if written != source {
            return None;
        }
        Some(match (properties.as_slice(), before) {
            ([], text) => SimpleText::Text(text),
            ([("", name)], "") => SimpleText::Property(name),
            ([(before, name)], behind) => SimpleText::Around(before, name, behind),
            (_, tail) => SimpleText::Join(properties, tail),
        })
    }

    /// `Template::Around(...)`, or, with a name, `Property::Around(...)`. `constant` returns the constant of a property's name.
    pub(crate) fn variant(
        &self,
        mut constant: impl FnMut(&str) -> TokenStream,
        name: Option<&str>,
        line: &Literal,
        column: &Literal,
    ) -> TokenStream {
        let (of, name) = match name {
            Some(name) => (quote!(Property), quote!(#name,)),
            None => (quote!(Template), quote!()),
        };
        match self {
            SimpleText::Text(text) => quote!(#of::Text(#name #line, #text)),
            SimpleText::Property(property) => {
                let property = constant(property);
                quote!(#of::Property(#name #line, #column, #property))
            }
            SimpleText::Around(before, property, behind) => {
                let property = constant(property);
                quote!(#of::Around(#name #line, #column, #before, #property, #behind))
            }
            SimpleText::Join(properties, tail) => {
                let properties = properties.iter().map(|(before, property)| {
                    let property = constant(property);
                    quote!((#before, #property))
                });
                let properties: Vec<_> = properties.collect();
                quote!(#of::Join(#name #line, #column, &[#(#properties),*], #tail))
            }
        }
    }
}

/// Whether the text is a literal whose value equals its source.
pub(crate) fn is_literal(ast: &ast::Template, source: &str) -> bool {
    match ast.parts.as_slice() {
        [] => source.is_empty(),
        [ast::Part::Text(text, _)] => text == source,
        [ast::Part::Expr(_)] | [_, _, ..] => false,
    }
}

/// A text with explicit places of its expressions, which differ from those computed from the text.
pub(crate) fn placed(text: &TokenStream, places: Vec<(u32, u32)>) -> TokenStream {
    let places = places.into_iter().map(|(line, column)| {
        let (line, column) = (
            Literal::u32_unsuffixed(line),
            Literal::u32_unsuffixed(column),
        );
        quote!((#line, #column))
    });
    quote!(Template::Placed(&Placed { text: #text, expressions: &[#(#places),*] }))
}

#[cfg(test)]
mod tests;
