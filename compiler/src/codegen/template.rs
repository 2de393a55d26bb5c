//! Texts of the document to templates of the table: properties and calls as data, operators as functions.
//!
//! A function costs rustc what ten texts cost. So one is written where it gives something: operators become plain Rust on
//! known types, a decision's test a `bool`.

use std::fmt;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use crate::{
    codegen::{
        context::{AppCx, TextPosition},
        functions::{Gives, Owner},
        text::{Compiled, is_literal, parts::CodeHome, placed, places},
    },
    model::{Property, Template},
};

/// A text of a workflow.
struct PartPlace<'c, 'a> {
    cx: &'c mut AppCx<'a>,
    owner: Owner<'c>,
    /// Says which text of the owner it is.
    path: fmt::Arguments<'c>,
}

impl CodeHome for PartPlace<'_, '_> {
    fn property(&mut self, name: &str) -> TokenStream {
        self.cx.property(name)
    }

    fn function(
        &mut self,
        source: &str,
        gives: Gives,
        write: &dyn Fn(&Ident) -> TokenStream,
    ) -> TokenStream {
        self.cx
            .function(source, gives, self.owner, self.path, write)
    }
}

/// The `Template` of the table. `path` says which text of the owner it is.
pub(crate) fn expr(
    cx: &mut AppCx<'_>,
    owner: Owner<'_>,
    path: fmt::Arguments<'_>,
    template: &Template,
) -> TokenStream {
    at_its_place(cx, owner, path, template, &Compiled::of(template))
}

/// The text of a decision's case. Where it is one expression that is certainly a boolean, its code gives a `bool`.
pub(crate) fn case_expr(
    cx: &mut AppCx<'_>,
    owner: Owner<'_>,
    path: fmt::Arguments<'_>,
    template: &Template,
) -> TokenStream {
    at_its_place(cx, owner, path, template, &Compiled::of_case(template))
}

fn at_its_place(
    cx: &mut AppCx<'_>,
    owner: Owner<'_>,
    path: fmt::Arguments<'_>,
    template: &Template,
    compiled: &Compiled<'_>,
) -> TokenStream {
    match cx.place(template.span, owner) {
        TextPosition::Below { line, column } => {
            variant(cx, owner, path, template, (line, column), compiled)
        }
        TextPosition::Outside => {
            let outside = outside_expr(cx, owner, path, template, compiled);
            quote!(Template::Outside(&#outside))
        }
        TextPosition::Inherited => {
            let ident = match cx.inherited(template.span) {
                Some(ident) => ident,
                None => cx.inherit(template.span, path, |cx, owner| {
                    outside_expr(cx, owner, path, template, compiled)
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
    compiled: &Compiled<'_>,
) -> TokenStream {
    let position = cx.position(template.span);
    let file = cx.file_expr(template.span.file);
    let line = Literal::u32_unsuffixed(position.line);
    let text = variant(cx, owner, path, template, (0, position.column), compiled);
    quote!(Outside { file: #file, line: #line, text: #text })
}

/// The variant of `Template`, with line and column as given.
fn variant(
    cx: &mut AppCx<'_>,
    owner: Owner<'_>,
    path: fmt::Arguments<'_>,
    template: &Template,
    (line, column): (u32, u32),
    compiled: &Compiled<'_>,
) -> TokenStream {
    let (line, column) = (
        Literal::u32_unsuffixed(line),
        Literal::u32_unsuffixed(column),
    );
    let source = template.text.as_str();
    let text = match compiled {
        Compiled::Simple(simple) => simple.variant(|name| cx.property(name), None, &line, &column),
        Compiled::Parts(parts) => {
            let mut place = PartPlace { cx, owner, path };
            let parts = parts.iter().map(|part| part.expr(&mut place));
            quote!(Template::Parts(#line, #column, #source, &[#(#parts),*]))
        }
        Compiled::Test(code) => {
            let mut place = PartPlace { cx, owner, path };
            let function = code.function(&mut place, Gives::Bool);
            let needs = code.needs();
            quote!(Template::Test(#line, #column, #source, #needs, #function))
        }
    };
    match moved(cx, template) {
        Some(places) => placed(&text, places),
        None => text,
    }
}

/// The places of its expressions, where the document moves them.
fn moved(cx: &AppCx<'_>, template: &Template) -> Option<Vec<(u32, u32)>> {
    places::moved(cx.sources, template)
}

/// `&[Property::Text(...), ...]`: a configuration.
#[derive(Default)]
pub(crate) struct ElementTexts {
    items: Vec<TokenStream>,
}

impl ElementTexts {
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
            self.items
                .push(quote!(Property::Computed { name: #name, value: #value }));
        }
    }

    /// Appends the text of something with a name. `path` says in words which text of the owner it is.
    fn named(
        &mut self,
        cx: &mut AppCx<'_>,
        owner: Owner<'_>,
        path: fmt::Arguments<'_>,
        name: &str,
        value: &Template,
    ) {
        let item = match (cx.place(value.span, owner), Compiled::of(value)) {
            (TextPosition::Below { line, column }, Compiled::Simple(simple))
                if moved(cx, value).is_none() =>
            {
                let (line, column) = (
                    Literal::u32_unsuffixed(line),
                    Literal::u32_unsuffixed(column),
                );
                simple.variant(|name| cx.property(name), Some(name), &line, &column)
            }
            _ => {
                let value = expr(cx, owner, path, value);
                quote!(Property::Template(#name, #value))
            }
        };
        self.items.push(item);
    }

    pub(crate) fn expr(self) -> TokenStream {
        let items = self.items;
        quote!(&[#(#items),*])
    }
}

/// `&[Property::Text(...), ...]`
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
