//! Paths of a function that moves one module deeper: what they name stays the same.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::quote_spanned;

/// The tokens with `self::` as `super::`, and `super::` as `super::super::`, where a path begins with it.
pub(crate) fn one_module_deeper(tokens: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut moved = TokenStream::new();
    for (n, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => {
                let inner = one_module_deeper(group.stream());
                let mut group_moved = Group::new(group.delimiter(), inner);
                group_moved.set_span(group.span());
                moved.extend([TokenTree::Group(group_moved)]);
            }
            TokenTree::Ident(ident) if begins_path(&tokens, n) && ident == "super" => {
                let span = ident.span();
                moved.extend(quote_spanned!(span=> super::#ident));
            }
            TokenTree::Ident(ident) if begins_path(&tokens, n) && ident == "self" => {
                moved.extend([TokenTree::Ident(Ident::new("super", ident.span()))]);
            }
            other => moved.extend([other.clone()]),
        }
    }
    moved
}

/// Whether the token is followed by `::`, and none is before it.
fn begins_path(tokens: &[TokenTree], n: usize) -> bool {
    let is_colon = |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    let is_separated =
        |first: usize| is_colon(tokens.get(first)) && is_colon(tokens.get(first + 1));
    is_separated(n + 1) && !(n >= 2 && is_separated(n - 2))
}
