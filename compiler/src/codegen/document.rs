//! The texts of documents without nodes: coordinators and bundles.

use std::cell::RefCell;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use crate::{
    codegen::{
        functions::{Functions, Gives, Home, Owner},
        module::Module,
        property_names::PropertyNames,
        text::{self, Compiled, parts::CodeHome, places},
    },
    model::{Property, Template},
    source::{FileId, Position, SourceMap, Span},
};

/// One document. The lines of its texts are those of its file.
pub(crate) struct DocumentCx<'a> {
    pub(crate) sources: &'a SourceMap,
    pub(crate) file: FileId,
    code: RefCell<DocumentCode>,
}

/// What texts refer to.
#[derive(Default)]
struct DocumentCode {
    functions: Functions,
    /// Their items.
    written: TokenStream,
    properties: PropertyNames,
}

impl<'a> DocumentCx<'a> {
    pub(crate) fn new(sources: &'a SourceMap, file: FileId) -> DocumentCx<'a> {
        DocumentCx {
            sources,
            file,
            code: RefCell::default(),
        }
    }

    /// The functions of the texts so far, and the module of the properties that they read.
    pub(crate) fn into_code(self) -> (TokenStream, Option<Module>) {
        let code = self.code.into_inner();
        (code.written, code.properties.module())
    }

    pub(crate) fn position(&self, span: Span) -> Position {
        self.sources.start(span)
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

    /// The `Template` of a text. `path` says in words which it is.
    pub(crate) fn text(&self, path: &str, template: &Template) -> TokenStream {
        let Position { line, column, .. } = self.position(template.span);
        if template.span.file == self.file {
            return self.variant(path, template, (line, column));
        }
        let file = self.file_expr(template.span.file);
        let line = Literal::u32_unsuffixed(line);
        let text = self.variant(path, template, (0, column));
        quote!(Template::Outside(&Outside { file: #file, line: #line, text: #text }))
    }

    /// The `Option<Template>` of an optional text.
    pub(crate) fn optional(&self, path: &str, template: Option<&Template>) -> TokenStream {
        match template {
            Some(template) => {
                let text = self.text(path, template);
                quote!(Some(#text))
            }
            None => quote!(None),
        }
    }

    fn variant(&self, path: &str, template: &Template, (line, column): (u32, u32)) -> TokenStream {
        let (line, column) = (
            Literal::u32_unsuffixed(line),
            Literal::u32_unsuffixed(column),
        );
        let source = template.text.as_str();
        let mut place = DocumentText {
            code: &mut self.code.borrow_mut(),
            path,
        };
        let text = match Compiled::of(template) {
            Compiled::Simple(simple) => {
                simple.variant(|name| place.property(name), None, &line, &column)
            }
            Compiled::Parts(parts) => {
                let parts = parts.iter().map(|part| part.expr(&mut place));
                quote!(Template::Parts(#line, #column, #source, &[#(#parts),*]))
            }
            Compiled::Test(code) => {
                let function = code.function(&mut place, Gives::Bool);
                let needs = code.needs();
                quote!(Template::Test(#line, #column, #source, #needs, #function))
            }
        };
        match self.moved(template) {
            Some(places) => text::placed(&text, places),
            None => text,
        }
    }

    /// The places of its expressions, where the document moves them.
    fn moved(&self, template: &Template) -> Option<Vec<(u32, u32)>> {
        places::moved(self.sources, template)
    }

    /// The `&[Property]` of a configuration.
    pub(crate) fn properties(&self, properties: &[Property]) -> TokenStream {
        let properties = properties.iter().map(|Property { name, value }| {
            let text = name.text.as_str();
            if text::is_literal(&name.ast, text) {
                return self.named(text, value);
            }
            let value = self.text(text, value);
            let name = self.text(&format!("name of {text}"), name);
            quote!(Property::Computed { name: #name, value: #value })
        });
        quote!(&[#(#properties),*])
    }

    fn named(&self, name: &str, value: &Template) -> TokenStream {
        if value.span.file == self.file
            && let Compiled::Simple(simple) = Compiled::of(value)
            && self.moved(value).is_none()
        {
            let Position { line, column, .. } = self.position(value.span);
            let (line, column) = (
                Literal::u32_unsuffixed(line),
                Literal::u32_unsuffixed(column),
            );
            let code = &mut *self.code.borrow_mut();
            let property = |name: &str| code.properties.constant(name);
            return simple.variant(property, Some(name), &line, &column);
        }
        let value = self.text(name, value);
        quote!(Property::Template(#name, #value))
    }
}

/// One of the texts.
struct DocumentText<'c> {
    code: &'c mut DocumentCode,
    /// Says in words which it is.
    path: &'c str,
}

impl CodeHome for DocumentText<'_> {
    fn property(&mut self, name: &str) -> TokenStream {
        self.code.properties.constant(name)
    }

    fn function(
        &mut self,
        source: &str,
        gives: Gives,
        write: &dyn Fn(&Ident) -> TokenStream,
    ) -> TokenStream {
        let owner = Owner {
            home: Home::App,
            name: "text of",
            node: None,
        };
        let function = match self.code.functions.find(source, gives) {
            Some(function) => function.clone(),
            None => {
                let functions = &mut self.code.functions;
                let function = functions.add(source, gives, owner, self.path);
                self.code.written.extend(write(function.ident()));
                function
            }
        };
        let ident = function.ident();
        quote!(#ident)
    }
}
