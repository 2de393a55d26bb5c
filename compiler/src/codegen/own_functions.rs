//! The module of an application with the functions of the program that its expressions call, each below the module of its prefix.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;

use crate::{
    codegen::{imports, module::Module, names},
    model::OwnFunction,
};

/// The number of modules from that of a prefix to the one that includes the generated code.
const DEPTH: usize = 4;

/// `own_functions::acme::call_bucket`, a `&'static Function`.
pub(crate) fn path(prefix: &str, name: &str) -> TokenStream {
    let module = names::ident(imports::OWN_FUNCTIONS);
    let (prefix, name) = (ident(prefix), call_ident(name));
    quote!(#module::#prefix::#name)
}

/// The path to a function, from the module of the application.
pub(crate) fn path_of(function: &OwnFunction) -> TokenStream {
    path(&function.prefix, &function.name)
}

/// The module; `None` without functions.
pub(crate) fn module(functions: &[OwnFunction]) -> Option<Module> {
    let mut prefixes: BTreeMap<&str, Vec<TokenStream>> = BTreeMap::new();
    for function in functions {
        let doc = format!(" `{}`", function.full_name());
        let name = call_ident(&function.name);
        let place = from_below(&function.path);
        prefixes
            .entry(&function.prefix)
            .or_default()
            .push(quote! {
                #[doc = #doc]
                pub(in super::super) static #name: &::hpdlc_runtime::core::el::functions::Function = &#place;
            });
    }
    if prefixes.is_empty() {
        return None;
    }
    let items: TokenStream = prefixes
        .into_iter()
        .map(|(prefix, items)| {
            let prefix = ident(prefix);
            quote!(pub(super) mod #prefix { #(#items)* })
        })
        .collect();
    let prefix = quote! {
        /// The functions of the program that expressions call.
        #[allow(non_snake_case, non_upper_case_globals)]
    };
    let imported = imports::of(&items);
    let name = imports::OWN_FUNCTIONS.to_owned();
    Some(Module::new(name, prefix, Vec::new(), items, imported))
}

/// A name that no function of the program has: rustc would propose it for one that is unknown.
fn call_ident(name: &str) -> Ident {
    names::ident(&format!("call_{name}"))
}

/// A name that the driver has found to be one of Rust.
fn ident(name: &str) -> Ident {
    names::same_ident(name).unwrap_or_else(|| names::ident(&format!("{name}_")))
}

/// An expression for the module that includes the generated code, as the module of a prefix sees it.
fn from_below(path: &str) -> TokenStream {
    let tokens: TokenStream = path.parse().unwrap_or_default();
    let is_relative = matches!(tokens.clone().into_iter().next(), Some(TokenTree::Ident(first)) if first != "crate");
    let up = is_relative.then_some([(); DEPTH]).into_iter().flatten();
    let up = up.map(|()| quote!(super::));
    quote!(#(#up)* #tokens)
}
