//! The function that is made of an expression, as Rust.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Expr;

use crate::rust::outlines::spelled;

/// What a function does, to find an equal one.
pub(super) fn key(statements: &[TokenStream], body: &Expr) -> String {
    let statements: Vec<String> = statements.iter().map(spelled).collect();
    format!("{} {}", statements.join(" "), spelled(body))
}

/// The entry for the runtime.
pub(super) fn entry(
    prefix: &str,
    name: &str,
    n_arguments: usize,
    full_name: &str,
    statements: &[TokenStream],
    body: &Expr,
) -> TokenStream {
    quote! {
        ::hpdlc_flow::runtime::function::Function::own(
            #prefix,
            #name,
            &[::hpdlc_flow::runtime::function::ANY; #n_arguments],
            |_, values| ::hpdlc_flow::runtime::function::call(#full_name, values, |hpdl_arguments| {
                #(#statements)*
                ::hpdlc_flow::runtime::function::text(&(#body))
            }),
        )
    }
}

/// The expression in one line, as its author sees it.
pub(super) fn source(expr: &Expr) -> String {
    let tokens = expr.to_token_stream();
    let file: Option<syn::File> = syn::parse2(quote!(const _: () = #tokens;)).ok();
    let text = file.map(|file| prettyplease::unparse(&file));
    let text = text.unwrap_or_else(|| tokens.to_string());
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    let line = line.strip_prefix("const _: () = ").unwrap_or(&line);
    line.strip_suffix(';').unwrap_or(line).to_owned()
}
