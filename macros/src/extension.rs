//! The expansion of `extension!`: the static that programs and the compiler know an extension by, and the test of its manifest.

use std::collections::BTreeSet;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{
    Ident, LitStr, Path, Token, bracketed,
    ext::IdentExt,
    parse::{Parse, ParseStream},
    punctuated::Punctuated,
    spanned::Spanned,
};

use crate::mistakes::Mistakes;

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
            let key = said(Ident::parse_any(input), KEYS)?;
            if !seen.insert(key.to_string()) {
                let problem = format!("`{key}` is said twice: name everything in one");
                return Err(syn::Error::new(key.span(), problem));
            }
            let name = key.to_string();
            if !["name", "actions", "types", "functions"].contains(&name.as_str()) {
                return Err(syn::Error::new(key.span(), KEYS));
            }
            said(input.parse::<Token![:]>(), KEYS)?;
            match name.as_str() {
                "name" => {
                    let problem = "the name is a text: `name: \"acme\"`";
                    read.name = Ok(said(input.parse(), problem)?);
                }
                "actions" => read.actions = list(input, &key)?,
                "types" => read.types = list(input, &key)?,
                _ => read.functions = list(input, &key)?,
            }
            if !input.is_empty() {
                let problem = "a comma is missing before this";
                said(input.parse::<Token![,]>(), problem)?;
            }
        }
        Ok(read)
    }
}

/// What an extension is made of.
const KEYS: &str =
    "an extension has `name: \"...\"`, `actions: [...]`, `types: [...]` and `functions: [...]`";

/// What was read, or our words at its place.
fn said<T>(read: syn::Result<T>, problem: impl std::fmt::Display) -> syn::Result<T> {
    read.map_err(|error| syn::Error::new(error.span(), problem))
}

fn list(input: ParseStream<'_>, key: &Ident) -> syn::Result<Vec<Path>> {
    let example = match key.to_string().as_str() {
        "types" => "S3Copy",
        "functions" => "partition",
        _ => "count",
    };
    let problem = format!("this is a list of names: `{key}: [{example}, ...]`");
    said(paths(input), problem)
}

fn paths(input: ParseStream<'_>) -> syn::Result<Vec<Path>> {
    let list;
    bracketed!(list in input);
    let paths = Punctuated::<Path, Token![,]>::parse_terminated(&list)?;
    Ok(paths.into_iter().collect())
}

/// The last name of a path, where messages about it point to.
fn last(path: &Path) -> Span {
    let last = path.segments.last();
    last.map_or_else(|| path.span(), |last| last.ident.span())
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
    let mut listed = Listed::default();
    for path in &input.actions {
        let name = path.segments.last().map(|it| it.ident.unraw());
        let called = name.map(|it| it.to_string()).unwrap_or_default();
        if is_type(&called) {
            let problem = format!("`{called}` is a type: name it in `types`");
            mistakes.push_at(last(path), problem);
            continue;
        }
        if !known.insert(called.clone()) {
            let problem = format!("`{called}` is the name of two actions");
            mistakes.push_at(last(path), problem);
        }
        let module = listed.module(path);
        entries.push(quote_spanned! {last(path)=>
            (#called, ::hpdlc_flow::runtime::action::named::<#module::Named>())
        });
    }
    let mut types = BTreeSet::new();
    let mut of_types = Vec::new();
    for path in &input.types {
        if !types.insert(quote!(#path).to_string()) {
            mistakes.push_at(last(path), "this type is named twice");
        }
        let number = of_types.len();
        entries.push(quote!((TYPES[#number].element, TYPES[#number].action)));
        of_types.push(quote_spanned! {last(path)=>
            ::hpdlc_flow::runtime::action::type_entry::<#path>()
        });
    }
    let functions = functions(&input.functions, &mut mistakes);
    mistakes.none()?;
    let modules = input.functions.iter().map(|path| {
        let module = listed.module(path);
        quote_spanned! {last(path)=>
            ::hpdlc_flow::runtime::function::named::<#module::Named>()
        }
    });
    let named: Vec<TokenStream> = modules.collect();
    let n = entries.len();
    let signatures = (0..input.functions.len()).map(|n| quote!(HPDL_FUNCTIONS[#n].1));
    let n_actions = entries.len() - input.types.len();
    let checks = input.types.iter().enumerate().map(|(number, path)| {
        let at = n_actions + number;
        quote_spanned! {last(path)=>
            const _: () = ::core::assert!(
                ::hpdlc_flow::runtime::action::is_first(&ACTIONS, #at),
                "an action or another type has the name of its element: give it another one, `element = \"...\"`"
            );
            const _: () = ::core::assert!(
                ::hpdlc_flow::runtime::action::has_own_namespace(&TYPES, #number),
                "another type has its namespace: give it another one, `namespace = \"...\"`"
            );
        }
    });
    let checks: Vec<TokenStream> = checks.collect();
    let (n_types, n_functions) = (input.types.len(), input.functions.len());
    Ok(quote! {
        /// What workflows of other programs can use of this crate.
        pub static EXTENSION: ::hpdlc_flow::runtime::action::Extension = {
            const TYPES: [::hpdlc_flow::runtime::action::TypeEntry; #n_types] = [#(#of_types),*];
            static ACTIONS: [(&str, &::hpdlc_flow::runtime::action::Action); #n] = [#(#entries),*];
            #(#checks)*

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

        #[doc(hidden)]
        const HPDL_FUNCTIONS: [
            (
                &::hpdlc_flow::runtime::function::Function,
                &::hpdlc_flow::runtime::function::Signature,
            );
            #n_functions
        ] = [#(#named),*];

        #functions

        #listed

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

/// The modules of what is listed, imported by names of their own.
///
/// An import is one mistake if there is nothing of its name. A function without its attribute is imported, but has no module: it gets
/// that of [`WITHOUT`], which lacks the trait, so that one message says what is missing. What is imported by name goes before what is
/// imported by `*`.
#[derive(Default)]
struct Listed {
    names: Vec<Ident>,
    imports: Vec<TokenStream>,
}

/// The module with what functions have that lack their attribute.
const WITHOUT: &str = "hpdl_without_attribute";

impl Listed {
    /// The name of the module that belongs to the function of this path.
    fn module(&mut self, path: &Path) -> Ident {
        let name = format_ident!("hpdl_listed_{}", self.names.len(), span = last(path));
        self.imports.push(quote_spanned! {last(path)=>
            #[doc(hidden)]
            #[allow(unused_imports)]
            use #path as #name;
        });
        self.names.push(name.clone());
        name
    }
}

impl ToTokens for Listed {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let (names, imports) = (&self.names, &self.imports);
        if names.is_empty() {
            return;
        }
        let without = format_ident!("{WITHOUT}");
        tokens.extend(quote! {
            mod #without {
                #(
                    pub mod #names {
                        #[allow(unused_imports)]
                        pub use ::hpdlc_flow::runtime::action::WithoutAttribute as Named;
                    }
                )*
            }

            #[allow(unused_imports)]
            use #without::*;

            #(#imports)*
        });
    }
}

/// Whether a name is one of a type.
fn is_type(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

/// The module by which compiled workflows name the functions, whichever module of the crate they are in.
fn functions(paths: &[Path], mistakes: &mut Mistakes) -> TokenStream {
    let mut known = BTreeSet::new();
    let entries: Vec<TokenStream> = paths
        .iter()
        .enumerate()
        .filter_map(|(number, path)| {
            let name = path.segments.last()?.ident.clone();
            if is_type(&name.to_string()) {
                let problem = format!("`{name}` is a type: name it in `types`");
                mistakes.push_at(name.span(), problem);
                return None;
            }
            if !known.insert(name.unraw().to_string()) {
                let problem = format!("`{name}` is the name of two functions");
                mistakes.push_at(name.span(), problem);
            }
            Some(quote! {
                pub const #name: &::hpdlc_flow::runtime::function::Function =
                    super::HPDL_FUNCTIONS[#number].0;
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
