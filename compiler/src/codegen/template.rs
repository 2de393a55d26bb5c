//! Texts of the document to templates of the table: what has something to compute as a function, everything else as it is.
//!
//! A function costs rustc what ten texts cost. So one is written where it gives something: operators become plain Rust on
//! known types, a decision's test a `bool`. For variables, constants and calls of functions the tree walker does the same work.

use std::fmt;

use hpdlc_core::el::{
    ast,
    functions::{self, proposal::RENAMED},
};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use crate::{
    codegen::{
        context::{AppCx, TextPosition},
        expression,
        functions::{Gives, Owner},
        text::{self, is_literal, lines_expr, placed, places},
    },
    model::{Property, Template},
};

/// The `Template` of the table. `path` says which text of the owner it is.
pub(crate) fn expr(
    cx: &mut AppCx<'_>,
    owner: Owner<'_>,
    path: fmt::Arguments<'_>,
    template: &Template,
) -> TokenStream {
    let source = template.text.as_str();
    let code = if needs_no_code(&template.ast) {
        None
    } else {
        Some(|function: &Ident| expression::text_fn(function, source, &template.ast))
    };
    expr_by(cx, owner, path, template, code)
}

/// The text of a decision's case. Where `test` decides it, the text is only shown, and one that reads files is printed from
/// what the test gives.
pub(crate) fn case_expr(
    cx: &mut AppCx<'_>,
    owner: Owner<'_>,
    path: fmt::Arguments<'_>,
    template: &Template,
    test: Option<&TokenStream>,
) -> TokenStream {
    match test {
        Some(test) => {
            let source = template.text.as_str();
            let code = is_blocking(&template.ast)
                .then_some(|function: &Ident| expression::printing_fn(function, source, test));
            expr_by(cx, owner, path, template, code)
        }
        None => expr(cx, owner, path, template),
    }
}

/// `write` writes the function, if there is to be one and no equal template has it.
fn expr_by(
    cx: &mut AppCx<'_>,
    owner: Owner<'_>,
    path: fmt::Arguments<'_>,
    template: &Template,
    write: Option<impl FnOnce(&Ident) -> TokenStream>,
) -> TokenStream {
    match cx.place(template.span, owner) {
        TextPosition::Below { line, column } => {
            variant(cx, owner, path, template, (line, column), write)
        }
        TextPosition::Outside => {
            let outside = outside_expr(cx, owner, path, template, write);
            quote!(Template::Outside(&#outside))
        }
        TextPosition::Inherited => {
            let ident = match cx.inherited(template.span) {
                Some(ident) => ident,
                None => cx.inherit(template.span, path, |cx, owner| {
                    outside_expr(cx, owner, path, template, write)
                }),
            };
            quote!(Template::Outside(&super::#ident))
        }
    }
}

/// `Outside { ... }`, with the template's own place.
fn outside_expr(
    cx: &mut AppCx<'_>,
    owner: Owner<'_>,
    path: fmt::Arguments<'_>,
    template: &Template,
    write: Option<impl FnOnce(&Ident) -> TokenStream>,
) -> TokenStream {
    let position = cx.position(template.span);
    let file = cx.file_expr(template.span.file);
    let line = Literal::u32_unsuffixed(position.line);
    let text = variant(cx, owner, path, template, (0, position.column), write);
    quote!(Outside { file: #file, line: #line, text: #text })
}

/// The variant of `Template`, with line and column as given.
fn variant(
    cx: &mut AppCx<'_>,
    owner: Owner<'_>,
    path: fmt::Arguments<'_>,
    template: &Template,
    (line, column): (u32, u32),
    write: Option<impl FnOnce(&Ident) -> TokenStream>,
) -> TokenStream {
    let (line, column) = (
        Literal::u32_unsuffixed(line),
        Literal::u32_unsuffixed(column),
    );
    let source = template.text.as_str();
    if is_literal(&template.ast, source) {
        return quote!(Template::Literal(#line, #source));
    }
    let text = match write {
        None => quote!(Template::Text(#line, #column, #source)),
        Some(write) => {
            let function = cx.function(source, Gives::Text, owner, path, write);
            if is_blocking(&template.ast) {
                quote!(Template::Blocking(#line, #column, #source, #function))
            } else {
                quote!(Template::Call(#line, #column, #source, #function))
            }
        }
    };
    let Some(places) = places::moved(|span| cx.position(span), template) else {
        return text;
    };
    placed(&text, places)
}

/// The function that decides a case, where its text is one expression that is certainly a boolean.
///
/// The text's own function then only prints what this one gives.
pub(crate) fn test_function(
    cx: &mut AppCx<'_>,
    owner: Owner<'_>,
    path: fmt::Arguments<'_>,
    template: &Template,
) -> Option<TokenStream> {
    let [ast::Part::Expr(expr)] = template.ast.parts.as_slice() else {
        return None;
    };
    if is_simple(expr) || !expression::is_bool(expr) {
        return None;
    }
    let source = template.text.as_str();
    Some(cx.function(source, Gives::Bool, owner, path, |function| {
        expression::bool_fn(function, source, expr)
    }))
}

/// `Some(...)` or `None`.
pub(crate) fn optional(
    cx: &mut AppCx<'_>,
    owner: Owner<'_>,
    path: &str,
    template: Option<&Template>,
) -> TokenStream {
    match template {
        Some(template) => {
            let template = expr(cx, owner, format_args!("{path}"), template);
            quote!(Some(#template))
        }
        None => quote!(None),
    }
}

/// `&[Properties::Lines("..."), Properties::One(...)]`: a configuration, or the elements of an action.
#[derive(Default)]
pub(crate) struct ElementTexts {
    items: Vec<TokenStream>,
    /// Behind the items.
    lines: Vec<String>,
}

impl ElementTexts {
    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty() && self.lines.is_empty()
    }

    /// Appends a property.
    pub(crate) fn property(&mut self, cx: &mut AppCx<'_>, owner: Owner<'_>, property: &Property) {
        let Property { name, value } = property;
        let name_text = name.text.as_str();
        let path = format_args!("{name_text}");
        if is_literal(&name.ast, name_text) {
            self.named(cx, owner, path, name_text, value);
        } else {
            let value = expr(cx, owner, path, value);
            let name = expr(cx, owner, format_args!("name of {name_text}"), name);
            self.one(&quote!(Property::Computed { name: #name, value: #value }));
        }
    }

    /// Appends the text of something with a name. `path` says in words which text of the owner it is.
    pub(crate) fn named(
        &mut self,
        cx: &mut AppCx<'_>,
        owner: Owner<'_>,
        path: fmt::Arguments<'_>,
        name: &str,
        value: &Template,
    ) {
        match line_of(cx, owner, name, value) {
            Some(line) => self.lines.push(line),
            None => {
                let value = expr(cx, owner, path, value);
                self.one(&quote!(Property::Named(#name, #value)));
            }
        }
    }

    fn one(&mut self, property: &TokenStream) {
        self.end_lines();
        self.items.push(quote!(Properties::One(#property)));
    }

    fn end_lines(&mut self) {
        self.items.extend(lines_expr(&mut self.lines));
    }

    pub(crate) fn expr(mut self) -> TokenStream {
        self.end_lines();
        let items = self.items;
        quote!(&[#(#items),*])
    }
}

/// `&[Properties::Lines("..."), Properties::One(...)]`
pub(crate) fn properties<'p>(
    cx: &mut AppCx<'_>,
    owner: Owner<'_>,
    properties: impl IntoIterator<Item = &'p Property>,
) -> TokenStream {
    let mut texts = ElementTexts::default();
    for property in properties {
        texts.property(cx, owner, property);
    }
    texts.expr()
}

/// `7:18 queue = ${queue}`, for a text of a node that has no code and is one line that shows all of it.
fn line_of(cx: &AppCx<'_>, owner: Owner<'_>, name: &str, value: &Template) -> Option<String> {
    if !needs_no_code(&value.ast) {
        return None;
    }
    let TextPosition::Below { line, column } = cx.place(value.span, owner) else {
        return None;
    };
    if places::moved(|span| cx.position(span), value).is_some() {
        return None;
    }
    text::line(name, value, line, column)
}

/// What the runtime puts together from the text as fast as generated code would: there is nothing to compute. What reads
/// files is to be told from the rest, and has code for that.
fn needs_no_code(ast: &ast::Template) -> bool {
    ast.expressions().all(consists_of_calls)
        && !ast.expressions().any(is_renamed)
        && !is_blocking(ast)
}

/// A function in it has another name in the text: the tree walker, which reads that, would not find it.
fn is_renamed(expr: &ast::Expr) -> bool {
    let is_renamed_itself = matches!(
        &expr.kind,
        ast::ExprKind::Call { prefix: Some(prefix), .. } if prefix == RENAMED
    );
    is_renamed_itself || expr.children().into_iter().any(is_renamed)
}

fn consists_of_calls(expr: &ast::Expr) -> bool {
    let is_call = matches!(expr.kind, ast::ExprKind::Call { .. });
    is_simple(expr) || is_call && expr.children().into_iter().all(consists_of_calls)
}

/// A variable or a constant.
fn is_simple(expr: &ast::Expr) -> bool {
    matches!(expr.kind, ast::ExprKind::Variable(_)) || expression::constant(expr).is_some()
}

fn is_blocking(ast: &ast::Template) -> bool {
    ast.expressions().any(functions::is_blocking)
}
