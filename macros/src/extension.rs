//! The expansion of `extension!`: the static that programs and the compiler know an extension by, and the test of its manifest.

use std::collections::BTreeSet;

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{
    Ident, LitStr, Path, Token, bracketed,
    ext::IdentExt,
    parse::{Parse, ParseStream},
    punctuated::Punctuated,
};

use crate::{mistakes::Mistakes, paths};

/// The names that expressions and the crates of hpdlc have.
const TAKEN: &[&str] = &[
    "bundle", "coord", "fs", "hadoop", "hpdl", "hpdlc", "oozie", "wf",
];

struct Input {
    /// The name, or what it is missing at.
    name: Result<LitStr, Span>,
    actions: Vec<Path>,
    types: Vec<Path>,
    functions: Vec<Path>,
}

impl Parse for Input {
    fn parse(input: ParseStream<'_>) -> syn::Result<Input> {
        let mut read = Input {
            name: Err(input.span()),
            actions: Vec::new(),
            types: Vec::new(),
            functions: Vec::new(),
        };
        let mut seen = BTreeSet::new();
        while !input.is_empty() {
            let key = Ident::parse_any(input)?;
            if !seen.insert(key.to_string()) {
                return Err(syn::Error::new(key.span(), "this is said twice"));
            }
            input.parse::<Token![:]>()?;
            match key.to_string().as_str() {
                "name" => read.name = Ok(input.parse()?),
                "actions" => read.actions = list(input)?,
                "types" => read.types = list(input)?,
                "functions" => read.functions = list(input)?,
                _ => {
                    let problem = "an extension has `name: \"...\"`, `actions: [...]`, `types: [...]` and `functions: [...]`";
                    return Err(syn::Error::new(key.span(), problem));
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(read)
    }
}

fn list(input: ParseStream<'_>) -> syn::Result<Vec<Path>> {
    let list;
    bracketed!(list in input);
    let paths = Punctuated::<Path, Token![,]>::parse_terminated(&list)?;
    Ok(paths.into_iter().collect())
}

/// Expands to the static and the test, or to the mistakes.
pub(crate) fn expand(input: TokenStream, crate_name: Option<&str>) -> TokenStream {
    let expanded = syn::parse2(input).and_then(|input| items(&input, crate_name));
    expanded.unwrap_or_else(syn::Error::into_compile_error)
}

fn items(input: &Input, crate_name: Option<&str>) -> syn::Result<TokenStream> {
    let mut mistakes = Mistakes::default();
    let name = match &input.name {
        Ok(name) => {
            if let Err(problem) = check_name(&name.value(), crate_name) {
                mistakes.add(name, problem);
            }
            Some(name)
        }
        Err(place) => {
            mistakes.push_at(
                *place,
                "the name of the extension is missing: `name: \"acme\"`",
            );
            None
        }
    };
    let mut known = BTreeSet::new();
    let mut entries = Vec::new();
    for path in &input.actions {
        let last = path.segments.last().map(|last| last.ident.unraw());
        let called = last.map(|last| last.to_string()).unwrap_or_default();
        if !known.insert(called.clone()) {
            mistakes.add(path, format!("`{called}` is the name of two actions"));
        }
        entries.push(quote!((#called, &#path::ACTION)));
    }
    let mut types = BTreeSet::new();
    for path in &input.types {
        if !types.insert(quote!(#path).to_string()) {
            mistakes.add(path, "this type is named twice");
        }
        let element = quote!(<#path as ::hpdlc_flow::runtime::action::ActionType>::ELEMENT);
        entries.push(quote!((#element, &<#path>::ACTION)));
    }
    let functions = functions(&input.functions, &mut mistakes);
    mistakes.none()?;
    let n = entries.len();
    let signatures = input.functions.iter().map(|path| quote!(&#path::SIGNATURE));
    Ok(quote! {
        /// What workflows of other programs can use of this crate.
        pub static EXTENSION: ::hpdlc_flow::runtime::action::Extension = {
            static ACTIONS: [(&str, &::hpdlc_flow::runtime::action::Action); #n] = [#(#entries),*];

            fn manifest() -> ::std::string::String {
                EXTENSION.described()
            }

            ::hpdlc_flow::runtime::action::Extension {
                name: #name,
                actions: &ACTIONS,
                functions: &[#(#signatures),*],
                manifest,
            }
        };

        #functions

        #[cfg(test)]
        #[test]
        fn hpdl_extension_json_is_what_the_code_says() {
            ::hpdlc_flow::runtime::action::hold_to_manifest(
                &EXTENSION,
                ::core::env!("CARGO_MANIFEST_DIR"),
            );
        }
    })
}

/// The module by which compiled workflows name the functions, whichever module of the crate they are in.
fn functions(paths: &[Path], mistakes: &mut Mistakes) -> TokenStream {
    let mut known = BTreeSet::new();
    let entries: Vec<TokenStream> = paths
        .iter()
        .filter_map(|path| {
            let name = path.segments.last()?.ident.clone();
            if !known.insert(name.unraw().to_string()) {
                mistakes.add(path, format!("`{name}` is the name of two functions"));
            }
            let path = paths::one_module_deeper(quote!(#path));
            Some(quote! {
                pub const #name: &::hpdlc_flow::runtime::function::Function = &#path::FUNCTION;
            })
        })
        .collect();
    if entries.is_empty() {
        return TokenStream::new();
    }
    quote! {
        #[doc(hidden)]
        #[allow(non_upper_case_globals)]
        pub mod hpdl_functions {
            #[allow(unused_imports)]
            use super::*;

            #(#entries)*
        }
    }
}

/// The name of an extension is that of its crate, in programs and in workflows.
fn check_name(name: &str, crate_name: Option<&str>) -> Result<(), String> {
    let begins = name.starts_with(|c: char| c.is_ascii_lowercase());
    let is_inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let is_word = syn::parse_str::<Ident>(name).is_ok();
    if !begins || !name.chars().all(is_inner) || !is_word {
        return Err(format!(
            "`{name}` is no name of an extension: it begins with a letter, and has lower-case letters, digits and `_`"
        ));
    }
    if TAKEN.contains(&name) {
        return Err(format!(
            "`{name}` is a name of Oozie or hpdlc: choose another one for the crate"
        ));
    }
    match crate_name {
        Some(crate_name) if crate_name != name => Err(format!(
            "the name of an extension is that of its crate: `{crate_name}`"
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
