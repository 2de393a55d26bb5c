//! What an attribute stands above, where it is not what the attribute needs.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

/// The item, with the error unless rustc has one: it reads an item before its attribute does.
pub(crate) fn other(item: &TokenStream, place: Span, problem: &str) -> TokenStream {
    if syn::parse2::<syn::Item>(item.clone()).is_ok()
        || syn::parse2::<syn::ImplItem>(item.clone()).is_ok_and(is_known)
    {
        let error = syn::Error::new(place, problem).into_compile_error();
        return quote!(#error #item);
    }
    // Said by rustc after everything else, and only if it has found nothing.
    quote_spanned! {place=>
        #item
        const _: () = {
            fn unsaid<T>() {
                const { ::core::panic!(#problem) }
            }
            #[used]
            static UNSAID: fn() = unsaid::<()>;
        };
    }
}

fn is_known(item: syn::ImplItem) -> bool {
    !matches!(item, syn::ImplItem::Verbatim(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(item: &str) -> String {
        let item: TokenStream = item.parse().expect("they are tokens");
        other(&item, Span::call_site(), "the problem").to_string()
    }

    #[test]
    fn another_item_is_an_error_at_once() {
        assert!(messages("struct S;").contains("compile_error"));
        assert!(messages("fn of(&self) {}").contains("compile_error"));
    }

    #[test]
    fn what_rustc_cannot_read_is_left_to_it() {
        let text = messages("fn f() { let x = ; }");
        assert!(!text.contains("compile_error"), "{text}");
        assert!(text.contains("unsaid"), "{text}");
    }
}
