//! Texts of the document as Rust expressions.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use crate::rust::own_names::property_code;

/// The properties that arguments of the function stand for.
#[derive(Debug, Default)]
pub(super) struct Texts {
    /// By the code that reads the property.
    arguments: BTreeMap<String, Ident>,
}

impl Texts {
    pub(super) fn declare(&mut self, property: &str, argument: Ident) {
        self.arguments.insert(property_code(property), argument);
    }

    /// A text as a value: a string, an argument, `format!` of arguments, or `el!`.
    pub(super) fn value(&self, text: &str) -> TokenStream {
        if !text.contains("${") {
            return quote!(#text);
        }
        match self.parts(text).as_deref() {
            Some([Part::Argument(name)]) => quote!(&#name),
            Some(parts) => {
                let template: String = parts.iter().map(Part::in_template).collect();
                quote!(format!(#template))
            }
            None => verbatim(text),
        }
    }

    /// The parts of a text whose expressions are all arguments.
    fn parts<'t>(&'t self, text: &'t str) -> Option<Vec<Part<'t>>> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once("${") {
            // A backslash or another dollar sign before it has a meaning of its own.
            if before.ends_with(['\\', '$', '#']) {
                return None;
            }
            let (code, after) = behind.split_once('}')?;
            if !before.is_empty() {
                parts.push(Part::Literal(before));
            }
            parts.push(Part::Argument(self.arguments.get(code)?));
            rest = after;
        }
        if !rest.is_empty() {
            parts.push(Part::Literal(rest));
        }
        Some(parts)
    }
}

enum Part<'t> {
    Literal(&'t str),
    Argument(&'t Ident),
}

impl Part<'_> {
    fn in_template(&self) -> String {
        match self {
            Part::Literal(text) => text.replace('{', "{{").replace('}', "}}"),
            Part::Argument(name) => format!("{{{name}}}"),
        }
    }
}

/// A text that may have expressions, as it stands.
pub(super) fn verbatim(text: &str) -> TokenStream {
    if text.contains("${") {
        quote!(el!(#text))
    } else {
        quote!(#text)
    }
}

/// A number as Rust spells it, if it is spelled so.
pub(super) fn number(text: &str) -> Option<Literal> {
    let number = text.parse::<u32>().ok()?;
    (number.to_string() == text).then(|| Literal::u32_unsuffixed(number))
}
