//! The texts of documents that have no nodes: coordinators and bundles. They are data, whatever is in them.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::{
    codegen::text::{self, places},
    model::{Property, Template},
    source::{FileId, Position, SourceMap, Span},
};

/// One document, whose texts have the lines of its file.
#[derive(Clone, Copy)]
pub(crate) struct DocumentCx<'a> {
    pub(crate) sources: &'a SourceMap,
    pub(crate) file: FileId,
}

impl DocumentCx<'_> {
    pub(crate) fn position(&self, span: Span) -> Position {
        self.sources.position(span.file, span.start)
    }

    /// The path of a file, for the table.
    pub(crate) fn file_expr(&self, file: FileId) -> TokenStream {
        if file == self.file {
            quote!(SOURCE)
        } else {
            let path = self.sources.path(file);
            quote!(#path)
        }
    }

    /// The `Template` of a text.
    pub(crate) fn text(&self, template: &Template) -> TokenStream {
        let Position { line, column, .. } = self.position(template.span);
        if template.span.file == self.file {
            return self.variant(template, (line, column));
        }
        let file = self.file_expr(template.span.file);
        let line = Literal::u32_unsuffixed(line);
        let text = self.variant(template, (0, column));
        quote!(Template::Outside(&Outside { file: #file, line: #line, text: #text }))
    }

    /// The `Option<Template>` of a text that may be left out.
    pub(crate) fn optional(&self, template: Option<&Template>) -> TokenStream {
        match template {
            Some(template) => {
                let text = self.text(template);
                quote!(Some(#text))
            }
            None => quote!(None),
        }
    }

    fn variant(&self, template: &Template, (line, column): (u32, u32)) -> TokenStream {
        let source = template.text.as_str();
        let line = Literal::u32_unsuffixed(line);
        if text::is_literal(&template.ast, source) {
            return quote!(Template::Literal(#line, #source));
        }
        let column = Literal::u32_unsuffixed(column);
        let text = quote!(Template::Text(#line, #column, #source));
        match places::moved(|span| self.position(span), template) {
            Some(places) => text::placed(&text, places),
            None => text,
        }
    }

    /// The `&[Properties]` of a configuration.
    pub(crate) fn properties(&self, properties: &[Property]) -> TokenStream {
        let named = properties.iter().map(|property| {
            (
                Some(&property.name),
                property.name.text.as_str(),
                &property.value,
            )
        });
        self.named(named)
    }

    /// The `&[Properties]` of elements: a name, and the text.
    pub(crate) fn elements<'t>(
        &self,
        elements: impl IntoIterator<Item = (&'t str, Option<&'t Template>)>,
    ) -> TokenStream {
        let there = elements.into_iter();
        self.named(there.filter_map(|(name, text)| Some((None, name, text?))))
    }

    fn named<'t>(
        &self,
        texts: impl Iterator<Item = (Option<&'t Template>, &'t str, &'t Template)>,
    ) -> TokenStream {
        let mut items = Vec::new();
        let mut lines = Vec::new();
        for (computed, name, value) in texts {
            let computed = computed.filter(|it| !text::is_literal(&it.ast, name));
            if let (None, Some(line)) = (computed, self.line_of(name, value)) {
                lines.push(line);
                continue;
            }
            items.extend(text::lines_expr(&mut lines));
            let value = self.text(value);
            let property = match computed {
                Some(computed) => {
                    let name = self.text(computed);
                    quote!(Property::Computed { name: #name, value: #value })
                }
                None => quote!(Property::Named(#name, #value)),
            };
            items.push(quote!(Properties::One(#property)));
        }
        items.extend(text::lines_expr(&mut lines));
        quote!(&[#(#items),*])
    }

    /// `7:18 queue = ${queue}`, where that line shows all of it.
    fn line_of(&self, name: &str, value: &Template) -> Option<String> {
        let is_here = value.span.file == self.file;
        if !is_here || places::moved(|span| self.position(span), value).is_some() {
            return None;
        }
        let Position { line, column, .. } = self.position(value.span);
        text::line(name, value, line, column)
    }
}
