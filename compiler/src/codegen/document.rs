//! The texts of documents without nodes: coordinators and bundles. They always become data, never code.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::{
    codegen::text::{self, places},
    model::{Property, Template},
    source::{FileId, Position, SourceMap, Span},
};

/// One document. The lines of its texts are those of its file.
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

    /// The `Option<Template>` of an optional text.
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
            return quote!(Template::Text(#line, #source));
        }
        let column = Literal::u32_unsuffixed(column);
        let text = quote!(Template::Source(#line, #column, #source));
        match places::moved(|span| self.position(span), template) {
            Some(places) => text::placed(&text, places),
            None => text,
        }
    }

    /// The `&[Property]` of a configuration.
    pub(crate) fn properties(&self, properties: &[Property]) -> TokenStream {
        let properties = properties.iter().map(|Property { name, value }| {
            let text = name.text.as_str();
            if text::is_literal(&name.ast, text) {
                return self.named(text, value);
            }
            let (name, value) = (self.text(name), self.text(value));
            quote!(Property::Computed { name: #name, value: #value })
        });
        quote!(&[#(#properties),*])
    }

    /// The `&[Property]` of elements, given as names and texts.
    pub(crate) fn elements<'t>(
        &self,
        elements: impl IntoIterator<Item = (&'t str, Option<&'t Template>)>,
    ) -> TokenStream {
        let there = elements.into_iter();
        let items = there.filter_map(|(name, text)| Some(self.named(name, text?)));
        quote!(&[#(#items),*])
    }

    fn named(&self, name: &str, value: &Template) -> TokenStream {
        let source = value.text.as_str();
        if value.span.file == self.file && text::is_literal(&value.ast, source) {
            let line = Literal::u32_unsuffixed(self.position(value.span).line);
            return quote!(Property::Text(#name, #line, #source));
        }
        let value = self.text(value);
        quote!(Property::Template(#name, #value))
    }
}
