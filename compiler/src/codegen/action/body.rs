//! The bodies of actions, of all types in the same way: a struct of the table, field by field.

use hpdlc_core::action::{CustomElement, Field, Fields, Value};
use proc_macro2::TokenStream;
use quote::quote;

use crate::{
    codegen::{action::StructExpr, context::AppCx, functions::Owner, names, template},
    model::{
        Configuration, Property, Template,
        action::{FsOperation, Parsed, PrepareOperation},
    },
};

/// Writes the structs of one action.
pub(super) struct BodyWriter<'w, 'a> {
    pub(super) cx: &'w mut AppCx<'a>,
    pub(super) owner: Owner<'w>,
}

impl BodyWriter<'_, '_> {
    /// Only what is written has a field.
    pub(super) fn struct_expr(&mut self, of: &dyn Fields<Parsed>) -> TokenStream {
        self.parts(of).expr()
    }

    fn parts(&mut self, of: &dyn Fields<Parsed>) -> StructExpr {
        let mut fields = StructExpr::of(of.name());
        for Field { name, value } in of.fields() {
            let value = self.written(&value);
            fields.push_optional(name, value.as_ref());
        }
        fields
    }

    /// The value of a field, if it is not that of `EMPTY`.
    fn written(&mut self, value: &Value<'_, Parsed>) -> Option<TokenStream> {
        match value {
            Value::Optional(_, []) | Value::List(_, []) | Value::Flag(false) => None,
            Value::Prepare([]) | Value::Operations([]) | Value::OptionalStruct(None) => None,
            Value::Elements([]) => None,
            Value::Choice(choice) if choice.values.is_empty() => None,
            Value::Settings(settings) => {
                let settings = self.parts(*settings);
                (!settings.is_empty()).then(|| settings.expr())
            }
            Value::Configuration(configuration) => self.configuration(configuration),
            value => Some(self.value(value)),
        }
    }

    fn value(&mut self, value: &Value<'_, Parsed>) -> TokenStream {
        match value {
            Value::Text(element, text) => self.text(element, text),
            Value::Optional(element, texts) => match texts.first() {
                Some(text) => {
                    let text = self.text(element, text);
                    quote!(Some(#text))
                }
                None => quote!(None),
            },
            Value::List(element, [only]) => {
                let only = self.text(element, only);
                quote!(&[#only])
            }
            Value::List(element, texts) => {
                let texts = (1..).zip(*texts);
                let texts: Vec<_> = texts
                    .map(|(number, text)| self.text(&format!("{element} {number}"), text))
                    .collect();
                quote!(&[#(#texts),*])
            }
            Value::Flag(flag) => quote!(#flag),
            Value::Name(name) => quote!(#name),
            Value::Elements(elements) => {
                let elements: Vec<_> = elements.iter().map(|it| self.element(it)).collect();
                quote!(&[#(#elements),*])
            }
            Value::Settings(settings) => self.struct_expr(*settings),
            Value::Configuration(configuration) => {
                self.configuration(configuration).unwrap_or(quote!(&[]))
            }
            Value::Prepare(operations) => {
                let operations = (1..).zip(*operations);
                let operations: Vec<_> = operations
                    .map(|(number, operation)| self.prepare(number, operation))
                    .collect();
                quote!(&[#(#operations),*])
            }
            Value::Operations(operations) => {
                let operations = (1..).zip(*operations);
                let operations: Vec<_> = operations
                    .map(|(number, operation)| self.operation(number, operation))
                    .collect();
                quote!(&[#(#operations),*])
            }
            Value::Choice(choice) => {
                let (name, variant) = (names::ident(choice.name), names::ident(choice.variant));
                let values: Vec<_> = choice.values.iter().map(|it| self.value(it)).collect();
                match values.as_slice() {
                    [] => quote!(#name::#variant),
                    values => quote!(#name::#variant(#(#values),*)),
                }
            }
            Value::Struct(part) => {
                let part = self.struct_expr(*part);
                quote!(&#part)
            }
            Value::OptionalStruct(part) => match part {
                Some(part) => {
                    let part = self.struct_expr(*part);
                    quote!(Some(#part))
                }
                None => quote!(None),
            },
        }
    }

    /// `path` says which text of the action it is.
    fn text(&mut self, path: &str, text: &Template) -> TokenStream {
        let words = path.replace(['-', '/', '@'], " ");
        template::expr(self.cx, self.owner, format_args!("{words}"), text)
    }

    /// With the properties of its credentials, which those of the action override.
    fn configuration(&mut self, configuration: &Configuration) -> Option<TokenStream> {
        let properties: Vec<&Property> = std::mem::take(&mut self.cx.credentials)
            .into_iter()
            .chain(&configuration.properties)
            .collect();
        let is_empty = properties.is_empty();
        (!is_empty).then(|| template::properties(self.cx, self.owner, properties))
    }

    fn element(&mut self, element: &CustomElement<Parsed>) -> TokenStream {
        let name = element.name;
        let texts = self.value(&Value::List(name, &element.texts));
        quote!(CustomElement { name: #name, texts: #texts })
    }

    fn prepare(&mut self, number: usize, operation: &PrepareOperation) -> TokenStream {
        let variant = names::ident(operation.variant());
        let path = self.text(&format!("prepare {number}"), operation.path());
        quote!(PrepareOperation::#variant(#path))
    }

    fn operation(&mut self, number: usize, operation: &FsOperation) -> TokenStream {
        let operation = &operation.kind;
        let variant = names::ident(operation.variant());
        let element = operation.element();
        let fields = operation.fields().into_iter().map(|Field { name, value }| {
            let field = names::ident(name);
            let path = |attribute: &str| match attribute {
                "path" => format!("{element} {number}"),
                _ => format!("{element} {attribute} {number}"),
            };
            let value = match value {
                Value::Text(attribute, text) => self.text(&path(attribute), text),
                Value::Optional(attribute, [text]) => {
                    let text = self.text(&path(attribute), text);
                    quote!(Some(#text))
                }
                value => self.value(&value),
            };
            quote!(#field: #value)
        });
        let fields: Vec<_> = fields.collect();
        quote!(FsOperation::#variant { #(#fields),* })
    }
}
